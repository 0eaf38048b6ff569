import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CrashPoint, crashPoints, kinds, numbersFrom, places } from './support/crash-points.ts'
import { type CuttingProxy, startCuttingProxy } from './support/cutting-proxy.ts'
import { presentMinute } from './support/present-minute.ts'
import { enrollHostPc, type HostPc } from './support/processes/agent-process.ts'
import { licence, northfield, type Stack, startStack } from './support/processes/stack.ts'
import { readerEvents } from './support/reader-logs.ts'
import { until } from './support/until.ts'

// One of each place, three of each kind.
const points = Number(process.env.LECTERN_AGENT_POINTS ?? 12)
const seed = Number(process.env.LECTERN_AGENT_SEED ?? 1)
/** Milliseconds in which a disturbed publication must have arrived everywhere. */
const patience = 60_000
const model = 'CR2700'
/** Seven of the fleet's twenty readers are of the model that is published to. */
const readersOfModel = 7

let stack: Stack
let proxy: CuttingProxy
let host: HostPc
let zoneId: string

beforeAll(async () => {
  stack = await startStack()
  const api = await stack.api()
  zoneId = (await api('createZone', { params: { organizationId: northfield, location: 'Crash ward' } })).id
  proxy = await startCuttingProxy(stack.url)
  const run = ['--readers', '20', '--seed', '42', '--apply-ms', '80', '--poll', '2']
  host = await enrollHostPc({ server: proxy.url, zoneId, licence, name: 'NRH-CRASH-01' }, [...run])
  host.start()
  await until('the readers to be known', host, async () => (await knownReaders()) === 20)
})

afterAll(async () => {
  await host?.remove()
  await proxy?.close()
  await stack?.stop()
})

interface Published {
  point: CrashPoint
  hash: string
  id: string
  /** The firmware that readers report in the end; null for a configuration. */
  version: string | null
}

test(
  `an agent that is killed or cut off at ${points} seeded points applies each publication once a reader and reports each outcome once`,
  async () => {
    const published: Published[] = []
    const figures = { disturbed: 0, kills: 0 }
    let running: string | null = null
    // A first firmware, so that there is one to return to.
    const start = { ...crashPoints(1, seed)[0]!, seed: seed * 10_007 - 1, kind: 'release', isUnwell: false } as const
    for (const point of [start, ...crashPoints(points, seed)]) {
      const one = await publishAndDisturb(point, running, figures, point === start)
      published.push(one)
      running = one.version ?? running
      await settled(one)
    }
    // Nothing may be applied, or reported otherwise, afterwards either.
    for (const one of published) await expectOnce(one)
    await until('the agent to be up', host, async () => host.isUp())
    expect(await host.end('SIGTERM')).toBe(0)
    // Answers that were lost and kills are not taken for a second PC (AGT-08).
    expect(await stack.sql('select name from host where on_two_pcs_at is not null')).toEqual([])
    expect(listReturns(published).length).toBeGreaterThan(0)
    expect(Math.max(...listReturns(published))).toBeLessThanOrEqual(64 * 1024)
    report(published, figures)
  },
  (points + 1) * patience,
)

/** Publishes a new content, disturbs the agent at the point, and leaves it running. `running`: the firmware that readers have now. */
async function publishAndDisturb(
  point: CrashPoint,
  running: string | null,
  figures: { disturbed: number; kills: number },
  isQuiet: boolean,
): Promise<Published> {
  const kill = async () => {
    if (!host.isRunning()) return
    await pause(point.delay)
    await host.end('SIGKILL')
    figures.kills += 1
  }
  const { content, version } = makeContent(point)
  const hash = createHash('sha256').update(content).digest('hex')
  const harm = isQuiet ? null : arm(point, content.length)
  const id = await publish(point, content, version, hash)
  const one = {
    point,
    hash,
    id,
    version: point.isUnwell ? running : (version ?? (isConfiguration(point.kind) ? null : `own-${hash.slice(0, 8)}`)),
  }
  if (isQuiet) return one
  const disturbed = harm ? harm.done : readersReach(point, hash)
  const hit = await Promise.race([disturbed.then(() => true), allReported(one).then(() => false)])
  if (hit) figures.disturbed += 1
  harm?.disarm()
  if (point.place.startsWith('killed')) await kill()
  if (!host.isRunning()) host.start()
  if (point.again !== null) {
    await pause(point.again)
    await host.end('SIGKILL')
    figures.kills += 1
    host.start()
  }
  return one
}

const isConfiguration = (kind: CrashPoint['kind']) => kind === 'script' || kind === 'commands'

/** A new content of the point's kind. A release's content has a version. */
function makeContent({ seed, kind, isUnwell }: CrashPoint): { content: string; version: string | null } {
  const size = 20_000 + Math.floor(numbersFrom(seed + 1)() * (kind === 'script' ? 300_000 : 3_000_000))
  const noise = randomBytes(size / 2).toString('hex')
  if (kind === 'script') return { content: `rules_onDecode = (d) => d // ${noise}\n`, version: null }
  if (kind === 'commands') return { content: `CFR\nCDOPSPX"${noise.slice(0, 50_000)}"\n`, version: null }
  if (kind === 'own firmware') return { content: noise, version: null }
  const version = `9.${seed}.0`
  return { content: `simulated firmware ${model} ${version}\n${isUnwell ? 'simulated-reader: not well' : ''}\n${noise}`, version }
}

/** The proxy's part in a point; null where the readers' own logs show when it has come. */
function arm({ place, depth }: CrashPoint, size: number) {
  const hold = () => {}
  const after = Math.floor(depth * size)
  const content = { path: '/api/agent/content/', part: 'response', after } as const
  const body = Math.floor(depth * 400)
  switch (place) {
    case 'killed in the download':
      return proxy.arm({ ...content, act: hold })
    case 'killed as it verifies':
      return proxy.arm({ ...content, after: size, act: hold })
    case 'cut in the download':
      return proxy.arm({ ...content, act: 'cut' })
    case 'download damaged':
      return proxy.arm({ ...content, act: 'damage' })
    case 'outcomes cut on their way':
      return proxy.arm({ path: '/api/agent/outcomes', part: 'request', after: body, act: 'cut' })
    case 'answer to outcomes cut':
      return proxy.arm({ path: '/api/agent/outcomes', part: 'response', after: 0, act: 'cut' })
    case 'killed as outcomes are sent':
      return proxy.arm({ path: '/api/agent/outcomes', part: 'request', after: body, act: hold })
    case 'killed as outcomes are answered':
      return proxy.arm({ path: '/api/agent/outcomes', part: 'response', after: Math.floor(depth * 14), act: hold })
    case 'check-in cut':
      return proxy.arm({ path: '/api/agent/check-in', part: depth < 0.5 ? 'request' : 'response', after: body, act: 'cut' })
    case 'desired state cut':
      return proxy.arm({ path: '/api/agent/desired', part: 'response', after: Math.floor(depth * 100), act: 'cut' })
    default:
      return null
  }
}

/** Resolves once as many readers as the point names have begun, or completed. */
async function readersReach({ place, depth }: CrashPoint, hash: string): Promise<void> {
  const event = place === 'killed as a reader begins' ? 'begin' : 'complete'
  const count = 1 + Math.floor(depth * readersOfModel)
  const reached = () => readerEvents(host.state).filter((line) => line.contentHash === hash && line.event === event).length >= count
  while (!reached()) await pause(3)
}

/** The longest that a publish has taken, in milliseconds: a busy machine needs more of a minute. */
let slowestPublish = 2_500

/** Publishes it for now. @returns the publication's id. */
async function publish({ seed, kind }: CrashPoint, content: string, version: string | null, hash: string): Promise<string> {
  const [staff, api] = [await stack.api('staff@quietzone.example'), await stack.api()]
  const fileName = `crash-${seed}${kind === 'script' ? '.js' : '.crvfw'}`
  const file = new File([content], fileName)
  const commands = content.split('\n').filter((line) => line !== '')
  const entry = { name: fileName, device: model, content: { kind: 'commands', commands } } as const
  const saved = kind === 'commands' ? await api('createLibraryEntry', { params: { organizationId: northfield }, body: entry }) : null
  if (version !== null) await staff('uploadFirmwareRelease', { file, fields: { device: model, version } })
  const updateTime = await presentMinute(Math.max(5_000, 3 * slowestPublish))
  const begun = Date.now()
  const params = { organizationId: northfield, location: zoneId, device: model } as const
  if (saved) await api('publishLibraryVersion', { params, body: { configurationId: saved.id, version: 1, updateTime } })
  else if (kind === 'script') await api('publishCodeRules', { params, file, fields: { updateTime } })
  else if (version !== null) await api('publishFirmwareVersion', { params, body: { firmwareVersion: version, updateTime } })
  else await api('publishFirmwareFile', { params, file, fields: { updateTime } })
  slowestPublish = Math.max(slowestPublish, Date.now() - begun)
  const [row] = await stack.sql<{ id: string }>('select id from publication where content_hash = $1', [hash])
  return row!.id
}

async function knownReaders(): Promise<number> {
  const [row] = await stack.sql<{ count: number }>(
    'select count(*)::int as count from device where zone_id = (select id from zone where public_id = $1)',
    [zoneId],
  )
  return row?.count ?? 0
}

interface Reported extends Record<string, unknown> {
  serial: string
  outcome: string
}

const listOutcomes = ({ id }: Published): Promise<Reported[]> =>
  stack.sql<Reported>(
    'select d.serial_number as serial, o.outcome from outcome o join device d on d.id = o.device_id where o.publication_id = $1',
    [id],
  )

const allReported = (one: Published): Promise<void> =>
  until(`outcomes of ${one.point.place}, ${one.point.kind}`, host, async () => (await listOutcomes(one)).length === readersOfModel)

/** Waits until every reader of the model runs what it must and the server knows that, and checks that it happened once. */
async function settled(one: Published): Promise<void> {
  const { hash, version, point } = one
  await allReported(one)
  await until(`the dashboard to show point ${point.seed}, ${point.place}, ${point.kind}`, host, async () => {
    const rows = await stack.sql(
      `select from device d left join reported_firmware f on f.id = d.firmware_id left join reported_configuration c on c.id = d.configuration_id
       where d.zone_id = (select id from zone where public_id = $1) and d.device_type = $2
         and ${version === null ? 'c.content_hash' : 'f.version'} = $3`,
      [zoneId, model, version ?? hash],
    )
    return rows.length === readersOfModel
  })
  await expectOnce(one)
}

/** Each reader's own log has one completed application, and one of what it was returned to. The server has one outcome per reader. */
async function expectOnce(one: Published): Promise<void> {
  const { point, hash, id } = one
  const completed = readerEvents(host.state).filter((line) => line.publication === id && line.event === 'complete')
  const serials = (of: typeof completed) => of.map(({ serialNumber }) => serialNumber).sort()
  const applied = serials(completed.filter(({ contentHash }) => contentHash === hash))
  const returned = serials(completed.filter(({ contentHash }) => contentHash !== hash))
  const outcomes = await listOutcomes(one)
  const where = `point ${point.seed}, ${point.place}, ${point.kind}`
  expect({ where, count: applied.length, readers: new Set(applied).size }).toEqual({
    where,
    count: readersOfModel,
    readers: readersOfModel,
  })
  expect(returned, where).toEqual(point.isUnwell ? applied : [])
  expect(outcomes.map(({ serial }) => serial).sort(), where).toEqual(applied)
  expect(new Set(outcomes.map(({ outcome }) => outcome)), where).toEqual(new Set([point.isUnwell ? 'failed' : 'applied']))
}

/** How many bytes were downloaded again after each cut. A damaged download rightly begins again. */
const listReturns = (published: Published[]): number[] =>
  published.filter(({ point }) => point.place !== 'download damaged').flatMap(({ hash }) => proxy.again(`/api/agent/content/${hash}`))

function report(published: Published[], figures: { disturbed: number; kills: number }): void {
  const events = readerEvents(host.state)
  const count = (event: string) => events.filter((line) => line.event === event).length
  const sent = proxy.requests('/api/agent/outcomes').flatMap((body) => {
    try {
      return (JSON.parse(body) as { outcomes: unknown[] }).outcomes
    } catch {
      return []
    }
  })
  const resumed = host.log().match(/of them now/g)?.length ?? 0
  const again = listReturns(published)
  const unwell = published.filter(({ point }) => point.isUnwell).length
  const wanted = (published.length + unwell) * readersOfModel
  const lines = [
    `${points} points (seed ${seed}): ${figures.disturbed} disturbed where they were meant to, ${figures.kills} SIGKILLs`,
    `readers: ${count('begin')} applications begun, ${count('cut')} cut, ${count('complete')} completed of ${wanted} wanted, ${unwell * readersOfModel} of them returns`,
    `outcomes: ${sent.length} sent, ${published.length * readersOfModel} kept by the server; downloads resumed: ${resumed}, damaged: ${host.log().match(/arrived damaged/g)?.length ?? 0}`,
    `downloaded again: ${again.length} cuts, ${Math.max(...again)} bytes at most`,
    ...kinds.map((kind) => `  ${kind}: ${published.filter(({ point }) => point.kind === kind).length}`),
    ...places.map((place) => `  ${place}: ${published.filter(({ point }) => point.place === place).length}`),
  ]
  console.log(lines.join('\n'))
}

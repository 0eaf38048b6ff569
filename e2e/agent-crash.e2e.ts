import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolHostPc, type HostPc } from './agent-process.ts'
import { type CrashPoint, crashPoints, numbersFrom, places } from './crash-points.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import { readerEvents } from './reader-logs.ts'
import { licence, northfield, type Stack, startStack } from './stack.ts'

const points = Number(process.env.LECTERN_AGENT_POINTS ?? 20)
const seed = Number(process.env.LECTERN_AGENT_SEED ?? 1)
/** Milliseconds in which a disturbed publication must have arrived everywhere. */
const patience = 60_000
const model = 'CR2700'
/** Of the twenty readers of the fleet, seven are of the model that is published to. */
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
  host = await enrolHostPc({ server: proxy.url, zoneId, licence, name: 'NRH-CRASH-01' }, [...run])
  host.start()
  await until('the readers to be known', async () => (await knownReaders()) === 20)
})

afterAll(async () => {
  await host?.remove()
  await proxy?.close()
  await stack?.stop()
})

test(
  `an agent that is killed or cut off at ${points} seeded points applies each publication once a reader and reports each outcome once`,
  async () => {
    const published: { hash: string; point: CrashPoint }[] = []
    const figures = { disturbed: 0, kills: 0 }
    for (const point of crashPoints(points, seed)) {
      const hash = await publishAndDisturb(point, figures)
      published.push({ hash, point })
      await settled(hash, point)
    }
    // Nothing may have been applied, or told otherwise, afterwards either.
    for (const { hash, point } of published) await expectOnce(hash, point)
    await until('the agent to be up', async () => host.isUp())
    expect(await host.end('SIGTERM')).toBe(0)
    report(published, figures)
  },
  points * patience,
)

/** Publishes a content nobody has seen, disturbs the agent at the point, and leaves it running. */
async function publishAndDisturb(point: CrashPoint, figures: { disturbed: number; kills: number }): Promise<string> {
  const size = 20_000 + Math.floor(numbersFrom(point.seed + 1)() * 300_000)
  const script = `// ${randomBytes(size / 2).toString('hex')}\n`
  const hash = createHash('sha256').update(script).digest('hex')
  const kill = async () => {
    if (!host.isRunning()) return
    await pause(point.delay)
    await host.end('SIGKILL')
    figures.kills += 1
  }
  const harm = arm(point, script.length)
  await publish(`crash-${point.seed}.js`, script)
  const disturbed = harm ? harm.done : readersReach(point, hash)
  const hit = await Promise.race([disturbed.then(() => true), allReported(hash).then(() => false)])
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
  return hash
}

/** The proxy's part in a point; null where the readers' own logs tell when it has come. */
function arm({ place, depth }: CrashPoint, size: number) {
  const hold = () => {}
  const after = Math.floor(depth * size)
  const content = { path: '/api/agent/content/', part: 'response', after } as const
  const body = Math.floor(depth * 400)
  switch (place) {
    case 'killed in the download':
      return proxy.arm({ ...content, act: hold })
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

/** Resolved when as many readers as the point says have begun, or completed. */
async function readersReach({ place, depth }: CrashPoint, hash: string): Promise<void> {
  const event = place === 'killed as a reader begins' ? 'begin' : 'complete'
  const count = 1 + Math.floor(depth * readersOfModel)
  const reached = () => readerEvents(host.state).filter((line) => line.contentHash === hash && line.event === event).length >= count
  while (!reached()) await pause(3)
}

async function publish(fileName: string, script: string): Promise<void> {
  // An update time that is this minute is applied at once; near its end the server's clock might already show the next.
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 2_000) await pause(left)
  const updateTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date())
  const api = await stack.api()
  const params = { organizationId: northfield, location: zoneId, device: model } as const
  await api('publishCodeRules', { params, file: new File([script], fileName), fields: { updateTime } })
}

async function knownReaders(): Promise<number> {
  const [row] = await stack.sql<{ count: number }>('select count(*)::int as count from device where zone_id = $1', [zoneId])
  return row?.count ?? 0
}

interface Reported extends Record<string, unknown> {
  serial: string
  outcome: string
}

const outcomesOf = (hash: string): Promise<Reported[]> =>
  stack.sql<Reported>(
    `select d.serial_number as serial, o.outcome from outcome o join publication p on p.id = o.publication_id join device d on d.id = o.device_id
     where p.content_hash = $1`,
    [hash],
  )

const allReported = (hash: string): Promise<void> =>
  until(`outcomes of ${hash.slice(0, 8)}`, async () => (await outcomesOf(hash)).length === readersOfModel)

/** Waits until every reader of the model runs the content and the server has heard of it, and checks that it happened once. */
async function settled(hash: string, point: CrashPoint): Promise<void> {
  await allReported(hash)
  await until(`the dashboard to show ${hash.slice(0, 8)} (point ${point.seed}, ${point.place})`, async () => {
    const rows = await stack.sql(
      'select from device_state s join device d on d.id = s.device_id where s.config_hash = $1 and d.zone_id = $2 and d.device_type = $3',
      [hash, zoneId, model],
    )
    return rows.length === readersOfModel
  })
  await expectOnce(hash, point)
}

/** Each reader's own log has one completed application, and the server one outcome a reader. */
async function expectOnce(hash: string, { seed, place }: CrashPoint): Promise<void> {
  const completed = readerEvents(host.state).filter((line) => line.contentHash === hash && line.event === 'complete')
  const readers = completed.map(({ serialNumber }) => serialNumber).sort()
  const outcomes = await outcomesOf(hash)
  const where = `point ${seed}, ${place}`
  expect({ where, count: readers.length, readers: new Set(readers).size }).toEqual({
    where,
    count: readersOfModel,
    readers: readersOfModel,
  })
  expect(outcomes.map(({ serial }) => serial).sort(), where).toEqual(readers)
  expect(
    outcomes.every(({ outcome }) => outcome === 'applied'),
    where,
  ).toBe(true)
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patience
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited ${patience / 1000} s for ${what}. The agent's last words:\n${host.log().slice(-3000)}`)
    await pause(25)
  }
}

function report(published: { hash: string; point: CrashPoint }[], figures: { disturbed: number; kills: number }): void {
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
  const lines = [
    `${published.length} points (seed ${seed}): ${figures.disturbed} disturbed where they were meant to, ${figures.kills} SIGKILLs`,
    `readers: ${count('begin')} applications begun, ${count('cut')} cut, ${count('complete')} completed of ${published.length * readersOfModel} wanted`,
    `outcomes: ${sent.length} sent, ${published.length * readersOfModel} kept by the server; downloads resumed: ${resumed}, damaged: ${host.log().match(/arrived damaged/g)?.length ?? 0}`,
    ...places.map((place) => `  ${place}: ${published.filter(({ point }) => point.place === place).length}`),
  ]
  console.log(lines.join('\n'))
}

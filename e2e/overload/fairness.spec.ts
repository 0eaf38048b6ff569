import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { endpoints } from '@lectern/contract/endpoints.ts'
import { defaultBodyBytes, type Endpoint } from '@lectern/contract/http/endpoint.ts'
import { afterAll, expect, test } from 'vitest'
import { foreigner, manager, member, northfield, startLoneStack } from '../support/processes/stack.ts'
import { accessToken } from '../support/sign-in.ts'

// SECONDS and READERS make it a short run.
const loadForMs = Number(process.env.SECONDS ?? 60) * 1_000
const readers = Number(process.env.READERS ?? 1_000_000)
const atOnce = 24
// The fewest calls for a p99; a short run has fewer.
const fewestCalls = loadForMs < 60_000 ? 1 : 200
const burst = 5_400

// The limit of calls per minute is not under test.
const stack = await startLoneStack({ env: { RATE_LIMIT: '100000000' } })
afterAll(() => stack.stop())
const { hostname, port } = new URL(stack.url)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

const ofOrganization = (id: string, path: string) => `/api/codedm/organization/${id}${path}`
const list = (organizationId: string) => ofOrganization(organizationId, '/devices?PageSize=100')

type Statuses = Map<string, number>

/** Makes one call and reads its response. */
const send = (method: string, path: string, token: string, body: string | null, statuses: Statuses) =>
  new Promise<void>((resolve) => {
    const count = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const sending = request(`${stack.url}${path}`, { method, headers, agent }, (response) => {
      count(String(response.statusCode))
      response.resume().on('close', () => resolve())
    })
    // A refusal may come, and the connection end, before everything is sent.
    sending.on('error', ({ code }: NodeJS.ErrnoException) => {
      count(String(code))
      resolve()
    })
    sending.end(body ?? undefined)
  })

/** Sends so many calls on so many sockets without waiting, until all have a response or the time is over. */
async function pipeline(sockets: number, path: string, tokens: readonly string[], statuses: Statuses, until: number): Promise<void> {
  const each = Math.ceil(burst / sockets)
  await Promise.all(
    Array.from({ length: sockets }, async (_, index) => {
      const socket = connect(Number(port), hostname)
      let answered = 0
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
          answered += 1
          statuses.set(status!, (statuses.get(status!) ?? 0) + 1)
        }
      })
      const requests = Array.from(
        { length: each },
        (_, turn) =>
          `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${tokens[(index * each + turn) % tokens.length]}\r\n\r\n`,
      )
      socket.write(requests.join(''))
      while (answered < each && !socket.destroyed && performance.now() < until) await pause(50)
      socket.destroy()
    }),
  )
}

interface People {
  viewer: string
  tokens: string[]
  alone: string
  colleague: string
  other: string
}

async function findPeople(): Promise<People & { organizations: { other: string } }> {
  await stack.sql(
    `insert into idp_account (id, email, email_verified, password_hash, name, permissions)
     select gen_random_uuid(), 'alone@nobody.example', true, password_hash, 'Alone', '{}' from idp_account where email = $1`,
    [member],
  )
  const tokens: string[] = []
  for (let index = 0; index < 100; index++) tokens.push(await accessToken(stack.url, member))
  const [alone, colleague, other] = await Promise.all(
    ['alone@nobody.example', manager, foreigner].map((email) => accessToken(stack.url, email)),
  )
  const me = (await (
    await fetch(`${stack.url}${endpoints.getCurrentUser.path}`, { headers: { authorization: `Bearer ${other}` } })
  ).json()) as {
    organizationId: string[]
  }
  await stack.sql(`update member set built_in_role = 'viewer', role_id = null where user_id = (select id from "user" where email = $1)`, [
    member,
  ])
  return {
    viewer: tokens[0]!,
    tokens,
    alone: alone!,
    colleague: colleague!,
    other: other!,
    organizations: { other: me.organizationId[0]! },
  }
}

const get = (Object.entries(endpoints) as [string, Endpoint][]).filter(([, { method, events }]) => method === 'GET' && !events)
const withBody = (Object.values(endpoints) as Endpoint[]).filter(({ body }) => body)
const fillPath = (path: string) =>
  path
    .replace('{organizationId}', northfield)
    .replace(/\/api\/mcodes\/(.*)\{id\}/, '/api/mcodes/$12')
    .replace(/\{\w+\}/g, northfield)
const guides = (index: number) => `/api/mcodes/report/2/full?branding=${index % 2}`

/** Finds the ten reads that take longest for a Viewer, each measured alone. */
async function findSlowest(token: string): Promise<string[]> {
  const searches = ['a', '9', '*', 'a b c d e f g h i j k l m n o p'].map(
    (text) => `${list(northfield)}&PageNumber=0&textFilter=${text}&count=exact`,
  )
  const paths = [...get.map(([, { path }]) => fillPath(path)), ...searches.map((path) => encodeURI(path))]
  const times: [string, number][] = []
  for (const path of paths) {
    const began = performance.now()
    await send('GET', path, token, null, new Map())
    times.push([path, performance.now() - began])
  }
  return times
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([path]) => path)
}

/** Repeats work, so much at once, until the time is over. */
async function repeat(until: number, work: (index: number) => Promise<void>): Promise<void> {
  let index = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) await work(index++)
    }),
  )
}

interface Load {
  /** The status that some of its calls must have; otherwise there was no load. */
  status: number
  send(until: number, statuses: Statuses): Promise<void>
}

function loads({ viewer, tokens, alone }: People, slowest: readonly string[]): Record<string, Load> {
  const downloads = get.filter(([, { download }]) => download).map(([, { path }]) => fillPath(path))
  const invented = Array.from({ length: burst }, (_, index) => `${viewer.slice(0, -6)}${String(index).padStart(6, 'A')}`)
  const flat = (bytes: number) =>
    `{${Array.from({ length: Math.floor((bytes - 2) / 13) }, (_, index) => `"${String(index).padStart(7, 'k')}":0`).join(',')}}`
  const repeated = (status: number, call: (index: number, statuses: Statuses) => Promise<void>): Load => ({
    status,
    send: (until, statuses) => repeat(until, (index) => call(index, statuses)),
  })
  const pipelined = (status: number, sockets: number, sent: readonly string[]): Load => ({
    status,
    async send(until, statuses) {
      while (performance.now() < until) await pipeline(sockets, list(northfield), sent, statuses, until)
    },
  })
  return {
    'guides, by an account without an organization': repeated(200, (index, statuses) => send('GET', guides(index), alone, null, statuses)),
    // As many of each as are sent at once.
    'downloads, by a Viewer': repeated(200, (index, statuses) =>
      send('GET', downloads[Math.floor(index / atOnce) % downloads.length]!, viewer, null, statuses),
    ),
    'pipelined on 12 sockets, one token': pipelined(200, 12, [viewer]),
    'pipelined on 300 sockets, 100 tokens': pipelined(200, 300, tokens),
    'pipelined on 12 sockets, invented tokens': pipelined(401, 12, invented),
    'the ten slowest reads': repeated(200, (index, statuses) => send('GET', slowest[index % slowest.length]!, viewer, null, statuses)),
    'flat bodies of the largest size': repeated(400, (index, statuses) => {
      const { method, path, maxBodyBytes = defaultBodyBytes } = withBody[index % withBody.length]!
      return send(method, fillPath(path), viewer, flat(maxBodyBytes), statuses)
    }),
  }
}

const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack.pid()}/status`, 'utf8'))![1]) / 1_024
type Answers = Record<'livez' | 'colleague' | 'other', { ms: number; status: number }[]>
const p99 = (answers: Answers['livez']) => answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(answers.length * 0.99)]!
const slowestOf = (answers: Answers['livez']) => Math.max(...answers.map(({ ms }) => ms))

async function watch(people: People & { organizations: { other: string } }, work: (until: number) => Promise<void>): Promise<Answers> {
  const workerData = {
    livez: { url: `${stack.url}/livez`, token: null },
    colleague: { url: `${stack.url}${list(northfield)}`, token: people.colleague },
    other: { url: `${stack.url}${list(people.organizations.other)}`, token: people.other },
  }
  const prober = new Worker(new URL('./ask-lists.ts', import.meta.url), { workerData })
  await work(performance.now() + loadForMs)
  return new Promise((resolve) => {
    prober.once('message', resolve)
    prober.postMessage('end')
  })
}

test('[FAI-01 FAI-02 FAI-04] what one account asks neither stops the portal nor makes a colleague or another organization wait', async () => {
  if (readers > 0) {
    const env = { ...process.env, DATABASE_URL: stack.databaseUrl }
    expect(
      spawnSync(process.execPath, ['bench/src/fill.ts', northfield, String(readers), '500', 'plain'], { env, stdio: 'inherit' }).status,
    ).toBe(0)
    await stack.sql('vacuum analyze')
  }
  const people = await findPeople()
  const slowest = await findSlowest(people.viewer)
  console.log(`ten slowest reads:\n${slowest.join('\n')}`)
  const all = loads(people, slowest)
  const before = resident()
  const baseline: Answers[] = []
  const loaded = new Map<string, { answers: Answers; statuses: Statuses }[]>()
  for (let turn = 0; turn < 2; turn++) {
    baseline.push(await watch(people, (until) => pause(until - performance.now())))
    for (const [name, load] of Object.entries(all)) {
      const statuses: Statuses = new Map()
      const answers = await watch(people, (until) => load.send(until, statuses))
      loaded.set(name, [...(loaded.get(name) ?? []), { answers, statuses }])
    }
  }
  const peak = resident()
  const ended = performance.now()
  while (resident() > before + 200 && performance.now() - ended < 120_000) await pause(1_000)
  const after = resident()
  const without = { colleague: p99(baseline.flatMap((one) => one.colleague)), other: p99(baseline.flatMap((one) => one.other)) }
  const failures: string[] = []
  const lines = [`without: p99 of a colleague ${without.colleague.toFixed(0)} ms, of another organization ${without.other.toFixed(0)} ms`]
  for (const [name, runs] of loaded) {
    const of = (who: keyof Answers) => runs.flatMap(({ answers }) => answers[who])
    const statuses = runs.flatMap((run) => [...run.statuses]).map(([status, times]) => `${times} × ${status}`)
    const livez = slowestOf(of('livez'))
    const ratios = (['colleague', 'other'] as const).map((who) => [who, p99(of(who)), p99(of(who)) / without[who], of(who).length] as const)
    lines.push(
      `${name}: /livez at most ${livez.toFixed(0)} ms; ${ratios.map(([who, ms, ratio, times]) => `${who} p99 ${ms.toFixed(0)} ms (${ratio.toFixed(1)} ×, ${times} calls)`).join(', ')}; ${statuses.join(', ')}`,
    )
    if (runs.some((run) => !run.statuses.has(String(all[name]!.status))))
      failures.push(`${name}: no call was answered ${all[name]!.status}`)
    if (livez >= 1_000) failures.push(`${name}: /livez ${livez}`)
    for (const [who, , ratio, times] of ratios) {
      if (ratio > 5) failures.push(`${name}: ${who} ${ratio}`)
      if (times < fewestCalls) failures.push(`${name}: ${who} asked ${times} times`)
    }
    const wrong = [...of('livez'), ...of('colleague'), ...of('other')].filter(({ status }) => status !== 200)
    if (wrong.length > 0) failures.push(`${name}: ${wrong.length} calls of others were answered ${wrong[0]!.status}`)
    if (runs.some((run) => [...run.statuses.keys()].some((status) => /^5/.test(status)))) failures.push(`${name}: 5xx`)
  }
  lines.push(`resident: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} at the end, ${after.toFixed(0)} afterwards`)
  console.log(lines.join('\n'))
  expect(failures).toEqual([])
  expect(after - before).toBeLessThan(200)
})

import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createFleet, organizationId } from './fleet.ts'
import { aboutHost, enroll } from './hosts.ts'
import { settle } from './lists.ts'
import { judge } from './measure.ts'
import type { Portal } from './portal.ts'
import { endProgram, pickPort, startProgram } from './programs.ts'

const readers = Number(process.env.READERS ?? 100_000)
const rounds = 9
const callsPerRound = 100
/** RLS-04: the most that a request may cost with row security, compared with without. */
const most = 1.25

const withoutIt = fileURLToPath(new URL('without-row-security.ts', import.meta.url))
const digest = createHash('sha256').update('as before').digest('hex')
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** Runs two servers on one database in turns, with row security and without. */
export async function benchRowSecurity(portal: Portal): Promise<void> {
  const { client, userId } = portal
  await createFleet(client, readers)
  await client.query(
    `with o as (select id from organization where public_id = $1), g as (insert into "group" (organization_id, name) select id, 'Bench' from o returning id)
     insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $2, g.id, 'manager' from o, g`,
    [organizationId, userId],
  )
  const { credential } = await enroll(portal, organizationId, 'Row security')
  await settle(client)
  const port = String(pickPort())
  const other = await startProgram(
    'server/src/main.ts',
    [],
    { ...portal.settings, PORT: port, DATABASE_URL: portal.databaseUrl, NODE_OPTIONS: `--import=${withoutIt}` },
    'Lectern is ready',
  )
  const paths = `/api/codedm/organization/${organizationId}/devices`
  const person = { headers: { authorization: `Bearer ${portal.token}` } }
  const report = (round: number, changed: number) => ({
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...aboutHost, digest, since: digest, devices: Array.from({ length: changed }, (_, n) => toReader(n, round)) }),
  })
  const works: [what: string, path: string, init: (round: number) => RequestInit][] = [
    ['the first page', `${paths}?ColumnName=DeviceSerialNumber&Direction=Ascending`, () => person],
    ['totals', `${paths}/totals`, () => person],
    ['a check-in without changes', '/api/agent/check-in', (round) => report(round, 0)],
    ['a check-in with ten changes', '/api/agent/check-in', (round) => report(round, 10)],
  ]
  process.stdout.write(`medians of ${callsPerRound} calls, with and without row security in turns, ${readers} readers\n`)
  // The first check-in has all readers, so that later ones are known.
  await send(portal.url, '/api/agent/check-in', { ...report(0, 0), body: JSON.stringify({ ...aboutHost, digest, devices: [] }) })
  for (const [what, path, init] of works) {
    const times: { own: number[]; other: number[] } = { own: [], other: [] }
    for (let round = 0; round < rounds; round++) {
      times.own.push(await time(portal.url, path, () => init(2 * round)))
      times.other.push(await time(`http://localhost:${port}`, path, () => init(2 * round + 1)))
    }
    const pairs = times.own.slice(1).map((own, round) => `${own.toFixed(2)} ${times.other[round + 1]!.toFixed(2)}`)
    process.stdout.write(`${what}, ms: ${pairs.join(' | ')}\n`)
    // Within each round, as the machine's other work changes. The first round warms up.
    judge(
      'RLS-04',
      `${what}, of that without row security`,
      median(times.own.slice(1).map((own, round) => own / times.other[round + 1]!)),
      { most },
    )
  }
  await endProgram(other.child, 'signal')
}

const toReader = (n: number, round: number) => ({
  serialNumber: `RS-${n}`,
  deviceType: 'CR2700',
  firmware: '4.12.0',
  configuration: null,
  batteryHealth: 40 + (round % 50),
  warrantyUntil: '2029-06-30',
  publication: null,
  firmwarePublication: null,
})

async function time(url: string, path: string, init: () => RequestInit): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < callsPerRound; call++) {
    const start = performance.now()
    await send(url, path, init())
    times.push(performance.now() - start)
  }
  return median(times)
}

async function send(url: string, path: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${url}${path}`, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
}

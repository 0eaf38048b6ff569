import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { aboutHost, createOrganization, enroll, post } from './hosts.ts'
import { judge } from './measure.ts'
import type { Portal } from './portal.ts'
import type { Statement } from './wiretap.ts'

const readersPerHost = 100
// The cost of a check-in depends on its own readers, so more hosts take longer and show the same.
const hosts = Math.min(300, Math.max(10, Math.round(Number(process.env.READERS ?? 100_000) / readersPerHost / 10)))
const runs = 5
/** Calls at a time. */
const parallel = 8

interface Host {
  credential: string
  serials: string[]
}

interface Kind {
  what: string
  body: (host: Host, round: number) => object
  isUnchanged?: true
  /** The least share of the raw upsert's rows per second, in SQL and over HTTP (SCL-06), for what hosts send all day. */
  least?: { sql: number; http: number }
}

const toReader = (serialNumber: string, round: number) => ({
  serialNumber,
  deviceType: 'CR2700',
  firmware: '4.12.0',
  configuration: { contentHash: digest('configuration'), fileName: 'ward.js' },
  batteryHealth: 40 + (round % 50),
  warrantyUntil: '2029-06-30',
  publication: null,
  firmwarePublication: null,
})

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const toReaders = ({ serials }: Host, round: number) => serials.map((serial) => toReader(serial, round))
const reported = digest('as before')
const unchanged = 7

const kinds: Kind[] = [
  {
    what: 'all readers sent, all changed',
    body: (host, round) => ({ digest: digest(`${round}`), devices: toReaders(host, round) }),
  },
  {
    what: 'all readers sent, none changed',
    isUnchanged: true,
    body: (host) => ({ digest: reported, devices: toReaders(host, unchanged) }),
  },
  {
    what: 'a digest, ten readers changed',
    body: (host, round) => ({ digest: reported, since: reported, devices: toReaders(host, round).slice(0, 10) }),
  },
  {
    what: 'a digest, none changed',
    isUnchanged: true,
    body: () => ({ digest: reported, since: reported, devices: [] }),
    least: { sql: 0.5, http: 0.12 },
  },
]

/** Compares check-ins of many hosts, in SQL alone and over HTTP, with a raw upsert of the same readers. */
export async function benchIngest(portal: Portal): Promise<void> {
  const organization = await createOrganization(portal)
  const all: Host[] = []
  for (let number = 0; number < hosts; number++) {
    const { credential } = await enroll(portal, organization, `Bench ${number}`)
    all.push({ credential, serials: Array.from({ length: readersPerHost }, (_, index) => `I${number}-${index}`) })
  }
  process.stdout.write(`check-ins of ${hosts} hosts with ${readersPerHost} readers each, ${parallel} at a time\n`)
  await createRaw(portal.client)
  print('', 'rows/s', 'of raw', 'WAL/row', 'HTTP', 'of raw')
  for (const [number, kind] of kinds.entries()) await benchKind(portal, all, kind, 100 * (number + 1))
  await benchList(portal, organization, all)
}

const pages = 400

/** How long a person waits for a page of the list, alone and while hosts report as much as they can (SCL-10). */
async function benchList(portal: Portal, organization: string, all: Host[]): Promise<void> {
  const read = async () => {
    const times: number[] = []
    for (let page = 0; page < pages; page++) times.push(await timed(() => portal.ask(`/api/codedm/organization/${organization}/devices`)))
    portal.take()
    return times.toSorted((a, b) => a - b)[Math.floor(0.99 * pages)]!
  }
  await read()
  const alone = await read()
  const saturation = saturate(portal, all)
  // Until the server has more work than it accepts.
  await pause(3_000)
  const loaded = await read()
  const { taken, refused } = await saturation.end()
  process.stdout.write(
    `a page of the list, 99th percentile: ${alone.toFixed(1)} ms alone, ${loaded.toFixed(1)} ms while ${taken} check-ins of ${readersPerHost} readers are taken and ${refused} are answered with 429\n`,
  )
  judge('SCL-10', "a page's 99th percentile under load, of its own", loaded / alone, { most: 5 })
}

const crowd = 500

/** Lets more hosts call at a time than the server accepts, each one call after another. Refused ones wait as long as Retry-After says. */
function saturate(portal: Portal, all: Host[]) {
  const over = new AbortController()
  const counts = { taken: 0, refused: 0 }
  const report = async (host: Host, first: number) => {
    for (let round = first; !over.signal.aborted; round++) {
      const response = await fetch(`${portal.url}/api/agent/check-in`, {
        method: 'POST',
        headers: { authorization: `Bearer ${host.credential}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...aboutHost, digest: reported, devices: toReaders(host, round) }),
      })
      if (response.status !== 200 && response.status !== 429) throw new Error(`a check-in: ${response.status} ${await response.text()}`)
      await response.text()
      counts[response.ok ? 'taken' : 'refused'] += 1
      if (!response.ok) await pause(1_000 * Number(response.headers.get('retry-after')), undefined, over).catch(() => undefined)
    }
  }
  const reports = Array.from({ length: crowd }, (_, number) => report(all[number % all.length]!, number))
  return {
    async end() {
      over.abort()
      await Promise.all(reports)
      return counts
    },
  }
}

async function benchKind(portal: Portal, all: Host[], kind: Kind, first: number): Promise<void> {
  const { client } = portal
  const send = (host: Host, body: object) => post(portal, '/api/agent/check-in', { ...aboutHost, ...body }, host.credential)
  // The fleet reports beforehand, so that the server knows a digest.
  await each(all, (host) => send(host, { digest: reported, devices: toReaders(host, unchanged) }))
  const [raw, own, http, wal]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let run = 0; run < runs; run++) {
    const round = first + 2 * run
    raw.push(await timed(() => each(all, (host) => upsertRaw(client, host.serials, round), 1)))
    portal.take()
    // One host after the other, so that statements of a call follow one another.
    await each(all, (host) => send(host, kind.body(host, round)), 1)
    const { statements } = portal.take()
    http.push(await timed(() => each(all, (host) => send(host, kind.body(host, round + 1)))))
    const before = await readWal(client)
    // What changed since then is changed back.
    own.push(await timed(() => replay(portal, statements)))
    wal.push(((await readWal(client)) - before) / (all.length * readersPerHost))
  }
  const perSecond = (times: number[]) => Math.round((1_000 * all.length * readersPerHost) / median(times))
  const [rawRate, ownRate, httpRate] = [perSecond(raw), perSecond(own), perSecond(http)]
  const share = (rate: number) => (rate / rawRate).toFixed(2)
  print(kind.what, ownRate, share(ownRate), Math.round(median(wal)), httpRate, share(httpRate))
  if (kind.isUnchanged) judge('SCL-05', `${kind.what}: bytes of WAL a reader`, Math.round(median(wal)), { most: 100 })
  if (!kind.least) return
  judge('SCL-06', `${kind.what}: rows a second in SQL, of a raw upsert's`, ownRate / rawRate, { least: kind.least.sql })
  judge('SCL-06', `${kind.what}: rows a second over HTTP, of a raw upsert's`, httpRate / rawRate, { least: kind.least.http })
}

async function createRaw(client: pg.Client): Promise<void> {
  await client.query(
    `create table raw_reader (organization_id int, serial_number text, device_type text, firmware text, configuration text, battery real,
       warranty date, seen_at timestamptz, primary key (organization_id, serial_number))`,
  )
}

/** The least that storing a host's readers can cost: one statement, one index. */
const upsertRaw = (client: pg.Client, serials: readonly string[], round: number) =>
  client.query({
    name: 'raw',
    text: `insert into raw_reader select 1, r.*, now() from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::real[], $6::date[]) as r
      on conflict (organization_id, serial_number) do update set device_type = excluded.device_type, firmware = excluded.firmware,
        configuration = excluded.configuration, battery = excluded.battery, warranty = excluded.warranty, seen_at = excluded.seen_at`,
    values: [
      serials,
      ...['CR2700', '4.12.0', digest('configuration'), 40 + (round % 50), '2029-06-30'].map((value) => serials.map(() => value)),
    ],
  })

/**
 * Sends what the server sent, by the server's logins and in its way: a statement beside transactions is sent with the brackets that show it
 * an organization.
 */
async function replay({ findClient }: Portal, statements: Statement[]): Promise<void> {
  for (const { name, text, values, login, begin } of statements) {
    const client = await findClient(login)
    // Each pool of the server has numbers of its own.
    const query = { ...(name !== '' && { name: createHash('md5').update(text).digest('hex') }), text, values }
    if (begin === '') await client.query(query)
    else await Promise.all([client.query(begin), client.query(query), client.query('end')])
  }
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>, atATime = parallel): Promise<void> {
  const rest = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const item of rest) await work(item)
    }),
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const readWal = async (client: pg.Client) =>
  Number((await client.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0' as bytes`)).rows[0]!.bytes)

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

function print(...cells: (string | number)[]): void {
  process.stdout.write(`${cells.map((cell, i) => String(cell)[i === 0 ? 'padEnd' : 'padStart'](i === 0 ? 34 : 10)).join('')}\n`)
}

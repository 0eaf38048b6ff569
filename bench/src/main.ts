import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeviceColumn, Direction } from '@lectern/contract/devices.ts'
import pg from 'pg'
import { createFleet, organizationId } from './fleet.ts'
import { openIssuer } from './issuer.ts'
import { endProgram, startProgram } from './programs.ts'
import { openWiretap, type Statement } from './wiretap.ts'

const readers = Number(process.env.READERS ?? 100_000)
const runs = 11
const rows = 10
const allowed = 40 + 12 * rows
const path = `/api/codedm/organization/${organizationId}/devices`
const tiles = { all: '', offline: 'onlyOffline=true', battery: 'onlyBadBattery=true', warranty: 'onlyWarrantyExpired=true' }

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Sends what the server sent, alone: the floor of its answer time. */
async function send(client: pg.Client, statements: Statement[]): Promise<void> {
  for (const { text, values } of statements) await client.query(text, values)
}

/** Pages of 8 kB that the statements touch, from memory or disk. */
async function buffersOf(client: pg.Client, statements: Statement[]): Promise<number> {
  let buffers = 0
  for (const { text, values } of statements) {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values)
    const plan = rows[0]['QUERY PLAN'][0].Plan
    buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  return buffers
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  const cluster = await startProgram(
    'server/src/testing/open-cluster.ts',
    [JSON.stringify({ dataDir: join(folder, 'postgres'), durable: false })],
    {},
    '"url"',
  )
  const { url } = JSON.parse(cluster.line) as { url: string }
  const address = new URL(url.replace('@/', '@socket/'))
  const wiretap = await openWiretap(join(address.searchParams.get('host')!, `.s.PGSQL.${address.searchParams.get('port') ?? 5432}`))
  const issuer = await openIssuer()
  const port = String(20_000 + Math.floor(Math.random() * 20_000))
  const settings = {
    PORT: port,
    DATA_DIR: folder,
    DATABASE_URL: `postgres://lectern@127.0.0.1:${wiretap.port}${address.pathname}`,
    AUTH_DOMAIN: issuer.domain,
    LOG_LEVEL: 'silent',
  }
  const server = await startProgram('server/src/main.ts', [], settings, 'Lectern is ready')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    process.stdout.write(`filling one organization with ${readers} readers\n`)
    await createFleet(client, readers)
    const subject = randomUUID()
    await client.query(`insert into "user" (id, issuer, subject, email, email_verified) values ($1, $2, $3, 'bench@bench.example', true)`, [
      randomUUID(),
      `${issuer.domain}/`,
      subject,
    ])
    await client.query(
      `with g as (insert into "group" (organization_id, name) values ($1, 'Bench') returning id) insert into member (organization_id, user_id, group_id) select $1, u.id, g.id from g, "user" u`,
      [organizationId],
    )
    await settle(client)
    const token = await issuer.token(subject)
    const ask = async (query: string) => {
      const response = await fetch(`http://localhost:${port}${query}`, { headers: { authorization: `Bearer ${token}` } })
      if (!response.ok) throw new Error(`${query}: ${response.status} ${await response.text()}`)
      return response.json()
    }
    const worst = await measureList(ask, client, wiretap.take)
    process.stdout.write(
      `\nworst first page: ${worst} buffers of ${allowed} allowed (40 + 12 a row): ${worst <= allowed ? 'holds' : 'BROKEN'}\n`,
    )
    if (worst > allowed) process.exitCode = 1
  } finally {
    await client.end()
    await endProgram(server.child, 'signal')
    wiretap.close()
    issuer.close()
    await endProgram(cluster.child, 'input')
    await rm(folder, { recursive: true, force: true })
  }
}

/** What an hour of running does on its own: the sweep has marked what is due, statistics and visibility are fresh. */
async function settle(client: pg.Client): Promise<void> {
  await client.query(`update device_state set offline = true where last_seen_at < now() - interval '72 hours'`)
  await client.query(`update device set offline = true where id in (select device_id from device_state where offline)`)
  await client.query(`update device set warranty_due = true where warranty_until <= (now() at time zone 'UTC')::date + interval '3 months'`)
  await client.query(`update device_state set warranty_due = true where device_id in (select id from device where warranty_due)`)
  await client.query('vacuum analyze')
}

/** Prints a line for each first page, a search and the totals; answers the most buffers a first page read. */
async function measureList(
  ask: (query: string) => Promise<unknown>,
  client: pg.Client,
  take: () => { statements: Statement[]; roundTrips: number },
): Promise<number> {
  const print = (...cells: (string | number)[]) =>
    process.stdout.write(`${cells.map((cell, i) => String(cell)[i === 0 ? 'padEnd' : 'padStart'](i === 0 ? 52 : 10)).join('')}\n`)
  const measure = async (label: string, query: string): Promise<number> => {
    await ask(query)
    take()
    await ask(query)
    const { statements, roundTrips } = take()
    const buffers = await buffersOf(client, statements)
    const http: number[] = []
    const alone: number[] = []
    for (let run = 0; run < runs; run++) {
      http.push(await timed(() => ask(query)))
      alone.push(await timed(() => send(client, statements)))
    }
    const [a, b] = [median(http), median(alone)]
    print(label, buffers, roundTrips, a.toFixed(2), b.toFixed(2), (a / b).toFixed(1))
    return buffers
  }
  print('first page of 10', 'buffers', 'trips', 'HTTP ms', 'pg ms', 'ratio')
  let worst = 0
  for (const column of DeviceColumn.options)
    for (const direction of Direction.options)
      for (const [tile, filter] of Object.entries(tiles)) {
        const buffers = await measure(`${column} ${direction}, ${tile}`, `${path}?ColumnName=${column}&Direction=${direction}&${filter}`)
        worst = Math.max(worst, buffers)
      }
  await measure('search "zone 017"', `${path}?textFilter=zone%20017`)
  await measure('search by serial', `${path}?textFilter=27P00012345`)
  await measure('totals', `${path}/totals`)
  await measure('page in the middle', `${path}?PageNumber=${Math.floor(readers / 20)}`)
  await measure('last page', `${path}?PageNumber=${Math.ceil(readers / rows) - 1}`)
  return worst
}

await main()

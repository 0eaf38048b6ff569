import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import type pg from 'pg'
import { createFleet, organizationId } from './fleet.ts'
import { settle } from './lists.ts'
import { judge } from './measure.ts'
import type { Portal } from './portal.ts'

const rows = Number(process.env.READERS ?? 100_000)
const runs = 9
const organization = `/api/codedm/organization/${organizationId}`

interface File {
  requirement: 'SCL-07' | 'INP-07'
  what: string
  path: string
  /** The same columns in the same order, as they are stored. */
  query: string
}

const devices = `select d.device_type, d.serial_number, zone.name, host.name, c.label, f.version, d.last_updated_at, coalesce(d.last_seen_at, host.readers_seen_at),
  d.battery_health, d.warranty_until, d.simulated
  from device d left join zone on zone.organization_id = $1 and zone.id = d.zone_id left join host on host.organization_id = $1 and host.id = d.host_id
  left join reported_firmware f on f.organization_id = $1 and f.id = d.firmware_id
  left join reported_configuration c on c.organization_id = $1 and c.id = d.configuration_id
  where d.organization_id = $1 order by d.serial_number, d.id`
const bySerial = 'ColumnName=DeviceSerialNumber&Direction=Ascending'

const files: File[] = [
  { requirement: 'SCL-07', what: 'devices', path: `${organization}/devices/download?${bySerial}`, query: devices },
  { requirement: 'INP-07', what: 'workbook', path: `${organization}/devices/workbook?${bySerial}`, query: devices },
  {
    requirement: 'SCL-07',
    what: 'audit log',
    path: `${organization}/audit-log/download`,
    query: `select in_effect_since, initiator_name, change_type, initiator_email, zone_name, target, config_name, version, device_serial, new_value, address, request_id,
      simulated from audit_entry where organization_id = $1 order by in_effect_since desc, id desc`,
  },
]

/**
 * Compares files of a large organization with `psql` and COPY: rows per second, memory, and how soon the query of a client that leaves
 * ends.
 */
export async function benchExports(portal: Portal): Promise<void> {
  if (spawnSync('psql', ['--version']).error) throw new Error('There is no psql. On Debian: apt-get install postgresql-client.')
  const { client } = portal
  process.stdout.write(`filling one organization with ${rows} readers and as many entries of the audit log\n`)
  await createFleet(client, rows)
  const id = await addReader(client, portal.userId)
  await client.query(
    `insert into audit_entry (id, organization_id, change_type, initiator_id, initiator_name, initiator_email, zone_name, target, version, config_name, new_value,
       device_serial, address, request_id)
     select gen_random_uuid(), $1, (array['FirmwareInstalled', 'ZoneConfigChange', 'haltRollout', 'retryRollout', 'updateReader', 'createLicence'])[1 + n % 6],
       $3, 'Ada Okoro', 'ada@people.example', 'Zone ' || n % 500, 'CR2700', '4.12.0', 'ward.js', '12', '27P' || lpad(n::text, 8, '0'),
       '203.0.113.7', 'request-' || n from generate_series(1, $2::int) n`,
    [id, rows, portal.userId],
  )
  await settle(client)
  for (const file of files) await benchFile(portal, id, file)
}

async function addReader(client: pg.Client, userId: string): Promise<number> {
  const { rows: found } = await client.query<{ id: number }>(
    `with o as (select id from organization where public_id = $1), g as (insert into "group" (organization_id, name) select id, 'Bench' from o returning id)
     insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $2, g.id, 'manager' from o, g returning organization_id as id`,
    [organizationId, userId],
  )
  return found[0]!.id
}

async function benchFile(portal: Portal, id: number, { requirement, what, path, query }: File): Promise<void> {
  const [own, floor]: [number[], number[]] = [[], []]
  let grown = 0
  for (let run = 0; run < runs; run++) {
    const before = readMemory(portal.pid)
    const watch = setInterval(() => {
      grown = Math.max(grown, readMemory(portal.pid) - before)
    }, 100)
    own.push(await timed(() => download(portal, path)))
    clearInterval(watch)
    grown = Math.max(grown, readMemory(portal.pid) - before)
    floor.push(await timed(() => copyByPsql(portal.databaseUrl, query.replaceAll('$1', String(id)))))
  }
  const [a, b] = [median(own), median(floor)]
  const leaving = await timeLeaving(portal, path)
  process.stdout.write(
    `${what}: ${perSecond(a)} rows a second, psql ${perSecond(b)}; grown by ${grown} MB; ends ${leaving} ms after its client left\n`,
  )
  const shares = own.map((time, run) => floor[run]! / time)
  // A workbook is never written as fast as PostgreSQL copies its rows, so it has no floor.
  if (requirement === 'SCL-07') judge(requirement, `${what}: rows a second, of psql's`, median(shares), { least: 0.6 })
  judge(requirement, `${what}: megabytes that the server grew by`, grown, { most: 64 })
  judge(requirement, `${what}: milliseconds until the query of a client that left has ended`, leaving, { most: 1_000 })
}

const perSecond = (ms: number) => Math.round((1_000 * rows) / ms)
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Reads a file as bytes, without decoding, as psql's is read. */
async function download({ url, token }: Portal, path: string): Promise<void> {
  const [response] = (await once(get(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }), 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
  await once(response.resume(), 'end')
}

async function copyByPsql(url: string, query: string): Promise<void> {
  const child = spawn('psql', [url, '-qc', `copy (${query}) to stdout (format csv)`], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`psql ended with ${code}.`)
}

/** Resident megabytes. */
const readMemory = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

async function timeLeaving({ send, client }: Portal, path: string): Promise<number> {
  const leaving = new AbortController()
  const response = await send(path, { signal: leaving.signal, headers: { 'accept-encoding': 'identity' } })
  await response.body!.getReader().read()
  leaving.abort()
  const start = performance.now()
  for (;;) {
    const { rows: active } = await client.query(`select from pg_stat_activity where query like 'copy %' and state = 'active'`)
    if (active.length === 0) return Math.round(performance.now() - start)
  }
}

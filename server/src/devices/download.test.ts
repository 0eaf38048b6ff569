import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { hostileCells, parseCsv } from '../testing/csv.ts'
import { type FleetReader, inOrder, insertFleet, tiles } from '../testing/fleet.ts'
import { serverForFile } from '../testing/server.ts'
import { until } from '../testing/until.ts'
import { readWorkbook } from '../testing/workbook.ts'

const server = await serverForFile()
const { db } = server.app

const plain: FleetReader = {
  serial: 'S1',
  model: 'CR2700',
  zone: 'ICU',
  host: 'H1',
  battery: 80,
  firmware: '4.9.2',
  unseen: 0,
  warranty: null,
}

async function newFleet(readers: readonly FleetReader[]) {
  const organization = await server.organization()
  const member = await server.person({ organization })
  const stored = await insertFleet(server, organization, readers)
  const getAs =
    ({ token }: { token: string }, file: File = 'download') =>
    (query: Record<string, string> = {}, init: RequestInit = {}) =>
      server.fetch(`/api/codedm/organization/${organization.id}/devices/${file}?${new URLSearchParams(query)}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
      })
  return { stored, get: getAs(member), getAs, member, organization, key: organization.key }
}

type File = 'download' | 'workbook'

const headings = [
  'Device (Model)',
  'Serial Number',
  'Zone',
  'Host PC',
  'CFG',
  'Firmware',
  'Last Updated',
  'Last Seen',
  'Battery Health',
  'Warranty',
  'Simulated',
]

test('[API-DEV-03] a CSV file: named, typed, never cached, with a BOM and a heading', async () => {
  const { get } = await newFleet([plain])
  const response = await get()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="devices.csv"')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [heading, row, ...rest] = parseCsv(bytes.subarray(3).toString())
  expect(heading).toEqual(headings)
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(row).toEqual(['CR2700', 'S1', 'ICU', 'H1', '', '4.9.2', instant, instant, '80', '', ''])
  expect(rest).toEqual([])
})

test('[API-DEV-03] an organization without readers gets the heading', async () => {
  const { get } = await newFleet([])
  expect(parseCsv(await (await get()).text())).toEqual([headings])
})

test('[API-DEV-03] quotes, commas, line breaks and any language arrive as they are', async () => {
  const zones = ['a,b', 'say "hi"', 'two\nlines', 'two\r\nlines', 'only\rreturn', ' blank ', '靑 🏥', 'semi;colon', '"']
  const { get } = await newFleet(zones.map((zone, number) => ({ ...plain, serial: `S${number}`, zone })))
  const text = await (await get({ ColumnName: 'DeviceSerialNumber', Direction: 'Ascending' })).text()
  expect(
    parseCsv(text)
      .slice(1)
      .map(([, , zone]) => zone),
  ).toEqual(zones)
})

test('[API-DEV-03 SES-09] a cell that a spreadsheet takes for a formula is text', async () => {
  const { get } = await newFleet(
    hostileCells.map(({ text }, number) => ({ ...plain, serial: `S${String(number).padStart(3, '0')}`, zone: text, host: text })),
  )
  const text = await (await get({ ColumnName: 'DeviceSerialNumber', Direction: 'Ascending' })).text()
  const rows = parseCsv(text).slice(1)
  expect(rows.map(([, , zone]) => zone)).toEqual(hostileCells.map(({ cell }) => cell))
  expect(rows.map(([, , , host]) => host)).toEqual(hostileCells.map(({ cell }) => cell))
})

test('[API-DEV-03 SES-09] serial numbers, configurations and firmware are written as text too', async () => {
  const { get, key } = await newFleet([{ ...plain, serial: '=S1', firmware: '+4.9' }])
  await sql`
    with configuration as (insert into reported_configuration (organization_id, label) values (${key}, '-rules') returning id)
    update device set configuration_id = configuration.id from configuration where organization_id = ${key}`.execute(db)
  const [, row] = parseCsv(await (await get()).text())
  expect(row).toMatchObject({ 1: "'=S1", 4: "'-rules", 5: "'+4.9" })
})

test("[API-DEV-03] has the list's filters and sort", async () => {
  const fleet = Array.from({ length: 40 }, (_, number) => ({
    ...plain,
    serial: `S${String(number).padStart(3, '0')}`,
    zone: number % 3 === 0 ? null : `Zone ${number % 5}`,
    battery: number % 4 === 0 ? null : (number * 13) % 100,
    unseen: number * 5,
    warranty: number % 2 === 0 ? number * 10 : null,
  }))
  const { stored, get } = await newFleet(fleet)
  for (const { query, shows } of Object.values(tiles))
    for (const column of ['Location', 'BatteryHealth', 'LastSeen'] as const)
      for (const direction of ['Ascending', 'Descending'] as const) {
        const filter = Object.fromEntries(Object.keys(query).map((name) => [name, 'true']))
        const response = await get({ ...filter, ColumnName: column, Direction: direction })
        const serials = parseCsv(await response.text())
          .slice(1)
          .map(([, serial]) => serial)
        expect(serials).toEqual(inOrder(stored.filter(shows), column, direction).map(({ serial }) => serial))
      }
  const found = parseCsv(await (await get({ textFilter: 'zone 4' })).text()).slice(1)
  expect(found.map(([, , zone]) => zone)).toEqual(Array(found.length).fill('Zone 4'))
  expect(found).toHaveLength(fleet.filter(({ zone }) => zone === 'Zone 4').length)
})

let large: ReturnType<typeof newFleet> | undefined

/**
 * A fleet whose files, workbook included, are far larger than what pipes and sockets hold: 14,000 readers, each with a kilobyte that does
 * not compress.
 */
function largeFleet() {
  large ??= (async () => {
    const fleet = await newFleet([])
    await sql`
      with configuration as (
        insert into reported_configuration (organization_id, label)
        select ${fleet.key}, n || (select string_agg(md5(n || ' ' || part), '') from generate_series(1, 64) part) from generate_series(1, 14000) n
        returning id, organization_id
      )
      insert into device (organization_id, serial_number, device_type, last_seen_at, configuration_id)
      select organization_id, 'S' || lpad((row_number() over ())::text, 6, '0'), 'CR2700', now(), id from configuration`.execute(db)
    return fleet
  })()
  return large
}

/** Transactions that other connections to this server's database hold open. */
const openTransactions = async () =>
  (
    await sql`select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
      and pid <> pg_backend_pid() and xact_start is not null`.execute(db)
  ).rows.length

const readSerials: Record<File, (bytes: Uint8Array) => unknown[]> = {
  download: (bytes) => parseCsv(new TextDecoder().decode(bytes)).map(([, serial]) => serial),
  workbook: (bytes) => readWorkbook(bytes)[0]!.rows.map((row) => row.B!.value),
}

describe.each(['download', 'workbook'] as const)('[API-DEV-03 INP-07] the file %s', { timeout: 120_000 }, (file) => {
  const bySerial = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending' }

  test('is streamed: it begins while most of it is still in the database, and ends whole', async () => {
    const { getAs, member } = await largeFleet()
    const response = await getAs(member, file)(bySerial)
    const reader = response.body!.getReader()
    const chunks = [(await reader.read()).value!]
    // Nothing more is read from the socket, so the server stops in the middle of the cursor.
    await until(async () => (await openTransactions()) === 1)
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) chunks.push(chunk.value)
    const serials = readSerials[file](Buffer.concat(chunks))
    expect([serials.length, serials[0], serials.at(-1)]).toEqual([14_001, 'Serial Number', 'S014000'])
    await until(async () => (await openTransactions()) === 0)
  })

  test('leaves no transaction behind when clients go away in the middle', async () => {
    const { getAs, member, organization } = await largeFleet()
    // An account has one file at once, its organization five (FAI-02).
    const colleagues = Array.from({ length: 4 }, () => server.person({ organization }))
    const people = [member, ...(await Promise.all(colleagues))]
    const stop = new AbortController()
    const responses = await Promise.all(people.map((person) => getAs(person, file)({}, { signal: stop.signal })))
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200))
    for (const response of responses) await response.body!.getReader().read()
    await until(async () => (await openTransactions()) === 5)
    stop.abort()
    await until(async () => (await openTransactions()) === 0)
  })

  test('is broken off by a failure in the middle instead of ending well', async () => {
    const { getAs, member } = await largeFleet()
    const response = await getAs(member, file)(bySerial)
    const reader = response.body!.getReader()
    await reader.read()
    await until(async () => (await openTransactions()) === 1)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(db)
    const rest = async () => {
      for (;;) if ((await reader.read()).done) return
    }
    await expect(rest()).rejects.toThrow('terminated')
  })
})

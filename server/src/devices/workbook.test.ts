import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { hostileCells } from '../testing/csv.ts'
import { type FleetReader, inOrder, insertFleet, tiles } from '../testing/fleet.ts'
import { serverForFile } from '../testing/server.ts'
import { readWorkbook, toDate } from '../testing/workbook.ts'

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
const bySerial = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending' }

async function newFleet(readers: readonly FleetReader[]) {
  const organization = await server.organization()
  const member = await server.person({ organization })
  const stored = await insertFleet(server, organization, readers)
  const getAs =
    ({ token }: { token: string }) =>
    (query: Record<string, string> = bySerial) =>
      server.fetch(`/api/codedm/organization/${organization.id}/devices/workbook?${new URLSearchParams(query)}`, {
        headers: { authorization: `Bearer ${token}` },
      })
  return { stored, organization, key: organization.key, get: getAs(member), getAs }
}

/** Of its one sheet. */
async function readRows(response: Response) {
  const [sheet, ...others] = readWorkbook(new Uint8Array(await response.arrayBuffer()))
  expect([sheet?.name, others]).toEqual(['Devices', []])
  return sheet!.rows
}

const readValues = async (response: Response, column: string) => (await readRows(response)).slice(1).map((row) => row[column]?.value)

test('[INP-07] a workbook: named, typed, never cached, with a heading that says the zone of its times', async () => {
  const { get, key } = await newFleet([plain])
  await sql`update device set last_updated_at = '2026-03-29 01:30:00.25+00', last_seen_at = '2026-11-24 23:59:59+00', warranty_until = '2028-02-29', battery_health = 24.6
    where organization_id = ${key}`.execute(db)
  const response = await get()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="devices.xlsx"')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const [heading, row, ...rest] = await readRows(response)
  expect(Object.values(heading!).map(({ value }) => value)).toEqual([
    'Device (Model)',
    'Serial Number',
    'Zone',
    'Host PC',
    'CFG',
    'Firmware',
    'Last Updated (UTC)',
    'Last Seen (UTC)',
    'Battery Health',
    'Warranty',
    'Simulated',
  ])
  const { G: updated, H: seen, J: warranty, ...others } = row!
  expect(Object.entries(others).map(([column, { value, format }]) => [column, value, format])).toEqual([
    ['A', 'CR2700', '@'],
    ['B', 'S1', '@'],
    ['C', 'ICU', '@'],
    ['D', 'H1', '@'],
    ['F', '4.9.2', '@'],
    ['I', 24.6, '0'],
  ])
  expect([updated, seen, warranty].map((cell) => [toDate(cell!.value), cell!.format])).toEqual([
    ['2026-03-29T01:30:00.250Z', 'yyyy-mm-dd hh:mm:ss'],
    ['2026-11-24T23:59:59.000Z', 'yyyy-mm-dd hh:mm:ss'],
    ['2028-02-29T00:00:00.000Z', 'yyyy-mm-dd'],
  ])
  expect(rest).toEqual([])
})

test('[INP-07] an organization without readers gets the heading', async () => {
  const { get } = await newFleet([])
  expect(await readRows(await get())).toHaveLength(1)
})

// In each, the parts of the workbook must be XML, as the tests' reader checks.
const hostile = [
  ...hostileCells.map(({ text }) => text),
  ...['0012345678', '8939010102358478435', '12E45', '1-2', 'MAR1', 'TRUE', '#N/A'],
  ...['_x0041_', '_x0041_x0042_', '__x005F_', '_x005F_x0041_', '_X0041_', '_x00g1_', '_x41_', '_xD83D_', 'a_xABCDef_'],
  ...['\u0001', 'a\u001fb', '_x0041\u0001', '\u0001x0041_', '_\u000b_x0001_', '\u007f\u0085', '\ufffe\uffff'],
  ...['\r', 'a\r\nb', '\ta\t', 'a\nb', ' a ', '  ', '', '\\N', '\\', 'a\\tb', '\\x41'],
  ...['<c t="n"/>', '&lt;&amp;', ']]>', '"\'', '\ufeffa', '靑 🏥 𝒳', 'e\u0301', '\u202egnp'],
]

test('[INP-07] every text arrives as it is stored: serial numbers, formulas, control characters, escapes and any language', async () => {
  const { get, key } = await newFleet([])
  const texts = hostile.map((text, number) => `${String(number).padStart(3, '0')}${text}`)
  await sql`
    with configuration as (insert into reported_configuration (organization_id, label) select ${key}, text from unnest(${hostile}::text[]) text returning id, label)
    insert into device (organization_id, serial_number, device_type, last_seen_at, configuration_id)
    select ${key}, serial, 'CR2700', now(), configuration.id from unnest(${hostile}::text[], ${texts}::text[]) r (text, serial) join configuration on label = text`.execute(
    db,
  )
  await sql`insert into device (organization_id, serial_number, device_type, last_seen_at) select ${key}, text, 'CR1500', now()
    from unnest(${hostile.filter((text) => text !== '')}::text[]) text`.execute(db)
  const rows = (await readRows(await get())).slice(1)
  expect(rows).toHaveLength(2 * hostile.length - 1)
  expect(rows.flatMap((row) => Object.values(row)).some(({ isFormula }) => isFormula)).toBe(false)
  const ofModel = (model: string) => rows.filter((row) => row.A!.value === model)
  expect(new Set(ofModel('CR1500').map((row) => row.B!.value))).toEqual(new Set(hostile.filter((text) => text !== '')))
  const labels = new Map(ofModel('CR2700').map((row) => [row.B!.value, row.E!.value]))
  expect(labels).toEqual(new Map(texts.map((serial, number) => [serial, hostile[number]])))
})

test('[INP-07] a date that no spreadsheet has is text', async () => {
  const { get, key } = await newFleet([])
  const dates = ['0001-01-01', '1900-02-28', '1900-03-01', '9999-12-31', '10000-01-01']
  await sql`insert into device (organization_id, serial_number, device_type, last_seen_at, warranty_until)
    select ${key}, 'S' || n, 'CR2700', now(), day from unnest(${dates}::date[]) with ordinality r (day, n)`.execute(db)
  const values = await readValues(await get(), 'J')
  expect(values.map((value) => (typeof value === 'number' ? toDate(value).slice(0, 10) : `text ${value}`))).toEqual([
    'text 0001-01-01',
    'text 1900-02-28',
    '1900-03-01',
    '9999-12-31',
    'text 10000-01-01',
  ])
})

test("[INP-07] has the list's filters and sort", async () => {
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
    for (const direction of ['Ascending', 'Descending'] as const) {
      const filter = Object.fromEntries(Object.keys(query).map((name) => [name, 'true']))
      const serials = await readValues(await get({ ...filter, ColumnName: 'BatteryHealth', Direction: direction }), 'B')
      expect(serials).toEqual(inOrder(stored.filter(shows), 'BatteryHealth', direction).map(({ serial }) => serial))
    }
  expect(await readValues(await get({ textFilter: 'zone 4' }), 'C')).toEqual(fleet.flatMap(({ zone }) => (zone === 'Zone 4' ? [zone] : [])))
})

test('[INP-07 PPL-04] has the readers of the organization alone, and for a role that is limited to zones those of its zones', async () => {
  const organization = await server.organization()
  const [ward, other] = [await server.zone('Ward', organization), await server.zone('Other', organization)]
  const reader = (serial: string, zone: number | null) => ({
    organization_id: organization.key,
    serial_number: serial,
    device_type: 'CR2700',
    last_seen_at: new Date(),
    zone_id: zone,
  })
  await db
    .insertInto('device')
    .values([reader('WARD', ward.key), reader('OTHER', other.key), reader('NOWHERE', null)])
    .execute()
  await newFleet([{ ...plain, serial: 'FOREIGN' }])
  const limited = await server.limitedPerson(organization, [ward], ['manage:cfg'])
  const serials = async ({ token }: { token: string }) => {
    const path = `/api/codedm/organization/${organization.id}/devices/workbook?${new URLSearchParams(bySerial)}`
    return readValues(await server.fetch(path, { headers: { authorization: `Bearer ${token}` } }), 'B')
  }
  expect(await serials(await server.person({ organization }))).toEqual(['NOWHERE', 'OTHER', 'WARD'])
  expect(await serials(limited)).toEqual(['WARD'])
})

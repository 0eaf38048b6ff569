import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const server = await serverForFile()

type Zone = Awaited<ReturnType<typeof server.zone>>
const listDevices = async ({ manager, organization }: Zone) => {
  const query = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending', PageSize: 100 }
  return (await manager.call('listDevices', { params: { organizationId: organization.id }, query })).body
}

test('[ENT-26] what a host says of a reader is what the dashboard says; what a reader lacks stays away', async () => {
  const zone = await server.zone('ICU')
  const host = await server.host(zone, 'HOST-01')
  const configuration = { contentHash: 'ab'.repeat(32), fileName: null }
  const corded = { deviceType: '1500DPM', firmware: null, batteryHealth: null, warrantyUntil: null } as const
  const { body } = await host.checkIn([reader('A1', { configuration, batteryHealth: 24.9 }), reader('B2', corded)])
  expect(body).toEqual({ accepted: 2, refused: [] })
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const common = { zone: 'ICU', host: 'HOST-01', lastSeen: instant, lastUpdatedDate: instant }
  expect((await listDevices(zone)).deviceList).toEqual([
    {
      ...common,
      serialNumber: 'A1',
      deviceType: 'CR2700',
      currentConfig: 'CFG abababab',
      currentFirmware: '4.9.2',
      batteryHealth: 24.9,
      warrantyRemaining: '2030-01-31',
    },
    { ...common, serialNumber: 'B2', deviceType: '1500DPM' },
  ])
})

test('a script is shown by its name; Last Updated moves with configuration and firmware only', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const configuration = { contentHash: 'cd'.repeat(32), fileName: 'rules.js' }
  const seen = async (parts: object) => {
    await host.checkIn([reader('A1', parts)])
    return (await listDevices(zone)).deviceList[0]!
  }
  const first = await seen({})
  const idle = await seen({ batteryHealth: 12 })
  expect(idle.lastUpdatedDate).toBe(first.lastUpdatedDate)
  expect(idle.lastSeen > first.lastSeen).toBe(true)
  const configured = await seen({ configuration })
  expect(configured).toMatchObject({ currentConfig: 'rules.js', lastUpdatedDate: configured.lastSeen })
  const upgraded = await seen({ configuration, firmware: '4.10.0' })
  expect(upgraded.lastUpdatedDate).toBe(upgraded.lastSeen)
  expect((await seen({ configuration, firmware: '4.10.0' })).lastUpdatedDate).toBe(upgraded.lastUpdatedDate)
})

test('a bad reader is refused with its place and the reason; the others are stored', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const bad = [
    reader(''),
    reader('M', { deviceType: 'CR9000' as never }),
    reader('B', { batteryHealth: 101 }),
    reader('D', { warrantyUntil: '2027-02-30' }),
    reader('Y', { warrantyUntil: '0000-01-01' }),
    reader('F', { firmware: 'a\0b' }),
    null,
    'reader',
    { serialNumber: 'HALF' },
  ]
  const { body, status } = await host.checkIn([reader('GOOD1'), ...bad, reader('GOOD2')])
  expect([status, body.accepted]).toEqual([200, 2])
  expect(body.refused.map(({ index, serialNumber }) => [index, serialNumber])).toEqual([
    [1, ''],
    [2, 'M'],
    [3, 'B'],
    [4, 'D'],
    [5, 'Y'],
    [6, 'F'],
    [7, null],
    [8, null],
    [9, 'HALF'],
  ])
  const reasons = body.refused.map(({ reason }) => reason)
  expect(reasons.slice(0, 6)).toEqual([
    'serialNumber must not be empty',
    expect.stringMatching(/^deviceType invalid option: expected one of "CR1100"/),
    expect.stringMatching(/^batteryHealth too big: expected number to be <=100/),
    'warrantyUntil must be a date, such as 2027-01-31',
    'warrantyUntil must not be in the year 0',
    'firmware must not have control characters',
  ])
  expect(reasons[6]).toMatch(/^invalid input: expected object/)
  expect((await listDevices(zone)).deviceList.map(({ serialNumber }) => serialNumber)).toEqual(['GOOD1', 'GOOD2'])
})

const hostile = [
  '27P0\u0000',
  '\u0000',
  '\ud800',
  'A\udc00',
  'a\u001db',
  'a\tb',
  'a\u202eb',
  '..',
  'x'.repeat(65),
  `${'x'.repeat(64)}\ud83d\ude00`,
  '',
]

test('[INP-01] a reader that is refused is answered alone, whatever bytes it holds, and the others are stored', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const odd = [7, null, {}, ['A'], true, { length: 3 }].map((serialNumber) => ({ ...reader('A'), serialNumber }))
  const devices = [reader('GOOD1'), ...hostile.map((serial) => reader(serial)), ...odd, reader('GOOD2')]
  const body = { timeZone: 'Europe/Berlin', agentVersion: '1.0.0', devices }
  // With a key the answer is stored as well.
  const plain: Record<string, string> = {}
  for (const headers of [plain, { 'idempotency-key': randomUUID() }]) {
    const answer = await host.call('checkIn', { body }, headers)
    expect([answer.status, answer.body.accepted]).toEqual([200, 2])
    expect(answer.body.refused.map(({ index, serialNumber }) => [index, serialNumber])).toEqual([
      ...hostile.map((serial, place) => [place + 1, serial.slice(0, 64)]),
      ...odd.map((_, place) => [hostile.length + place + 1, null]),
    ])
    expect((await host.call('checkIn', { body }, headers)).text).toBe(answer.text)
  }
  expect((await listDevices(zone)).deviceList.map(({ serialNumber }) => serialNumber)).toEqual(['GOOD1', 'GOOD2'])
})

test('a reader of which something else is refused has not left its host PC', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.checkIn([reader('A1'), reader('B2'), reader('C3')])
  await host.checkIn([reader('A1'), reader('B2', { batteryHealth: 101 })])
  const rows = await server.app.db.selectFrom('device').select(['serial_number', 'last_seen_at']).where('zone_id', '=', zone.key).execute()
  expect(rows.map((row) => [row.serial_number, row.last_seen_at === null]).sort()).toEqual([
    ['A1', true],
    ['B2', true],
    ['C3', false],
  ])
})

test('a host has at most 5,000 readers, of which a malformed one is refused alone', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const fleet = (count: number) => Array.from({ length: count }, (_, number) => reader(`S${number}`))
  const { status, problem } = await host.checkIn(fleet(5_001))
  expect([status, problem.detail]).toEqual([400, 'devices must have at most 5000 readers'])
  expect((await listDevices(zone)).totalCount).toBe(0)
  const { body } = await host.checkIn(fleet(5_000).with(2_000, reader('S2000', { batteryHealth: 101 })))
  expect([body.accepted, body.refused.map(({ index }) => index)]).toEqual([4_999, [2_000]])
  expect((await listDevices(zone)).totalCount).toBe(4_999)
})

test('a reader twice in a check-in counts once, as it was said last', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  expect((await host.checkIn([reader('A', { batteryHealth: 10 }), reader('A', { batteryHealth: 90 })])).status).toBe(200)
  expect((await listDevices(zone)).deviceList).toMatchObject([{ serialNumber: 'A', batteryHealth: 90 }])
})

test('a reader that another zone reports has moved there; the same number elsewhere is another reader', async () => {
  const zone = await server.zone('First')
  const second = await server.zone('Second', zone.organization)
  const stranger = await server.zone('Stranger')
  await (await server.host(zone, 'ONE')).checkIn([reader('A'), reader('B')])
  await (await server.host(second, 'TWO')).checkIn([reader('A')])
  await (await server.host(stranger)).checkIn([reader('A')])
  expect((await listDevices(zone)).deviceList).toMatchObject([
    { serialNumber: 'A', zone: 'Second', host: 'TWO' },
    { serialNumber: 'B', zone: 'First', host: 'ONE' },
  ])
  expect((await listDevices(stranger)).totalCount).toBe(1)
  const { body } = await zone.manager.call('listZoneOverviews', { params: { organizationId: zone.organization.id } })
  const counts = body.map(({ zoneId, readers }) => [zoneId, readers[0]?.count])
  expect(new Map(counts as [string, number][])).toEqual(
    new Map([
      [zone.id, 1],
      [second.id, 1],
    ]),
  )
})

test('hosts that report the same readers at once, in any order, all get through', async () => {
  const zone = await server.zone()
  const second = await server.zone('Second', zone.organization)
  const hosts = await Promise.all([server.host(zone, 'A'), server.host(zone, 'B'), server.host(second, 'C'), server.host(second, 'D')])
  const models = ['CR2700', 'CR1500', 'A271/2'] as const
  const fleet = Array.from({ length: 120 }, (_, number) => reader(`S${number}`, { deviceType: models[number % 3] }))
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all(
      hosts.map((host, index) => {
        const changed = fleet.map((one, place) => ({ ...one, batteryHealth: (round * 31 + place * 7 + index) % 100 }))
        return host.checkIn(index % 2 ? changed : changed.reverse())
      }),
    )
    expect(answers.map(({ status, body }) => [status, body.accepted])).toEqual(Array(4).fill([200, 120]))
  }
  const { totalCount } = await listDevices(zone)
  expect(totalCount).toBe(120)
})

test('a host keeps its time zone and version by checking in', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.call('checkIn', { body: { timeZone: 'Asia/Kathmandu', agentVersion: '2.0.0', devices: [] } })
  const { body } = await zone.manager.call('listZoneOverviews', { params: { organizationId: zone.organization.id } })
  expect(body[0]?.hosts[0]).toMatchObject({ timeZone: 'Asia/Kathmandu', agentVersion: '2.0.0', isOnline: true })
  const wrong = await host.call('checkIn', { body: { timeZone: randomUUID(), agentVersion: '2.0.0', devices: [] } })
  expect(wrong.problem).toMatchObject({ status: 400, detail: 'timeZone must be an IANA time zone, such as Europe/Berlin' })
})

async function countWaiting() {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
    server.app.db,
  )
  return rows[0]!.count
}

test.for(['its host', 'its zone too'])(
  '[SES-01] a check-in that began before %s was removed is refused, and nothing of it is stored',
  async (what) => {
    const zone = await server.zone()
    const host = await server.host(zone)
    const removing = await server.app.db.startTransaction().execute()
    onTestFinished(async () => void (removing.isCommitted || (await removing.rollback().execute())))
    await sql`update host set revoked_at = now() where zone_id = ${zone.key}`.execute(removing)
    const checkIn = host.checkIn([reader('A1')])
    await until(async () => (await countWaiting()) === 1)
    if (what === 'its zone too') {
      await sql`update host set zone_id = null where zone_id = ${zone.key}`.execute(removing)
      await sql`delete from zone where id = ${zone.key}`.execute(removing)
    }
    await removing.commit().execute()
    const { status, problem } = await checkIn
    expect([status, problem.detail]).toEqual([401, 'This host was removed from its zone. Enroll it again.'])
    expect((await listDevices(zone)).deviceList).toEqual([])
  },
)

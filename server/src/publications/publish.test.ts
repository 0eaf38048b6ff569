import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { updateModels } from '@lectern/contract/devices/device-models.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

type Zone = Awaited<ReturnType<typeof server.zone>>
const cfg = '<cfg><a>1</a></cfg>'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const makeParams = ({ id, organization }: Zone, device = 'CR2700') => ({ organizationId: organization.id, location: id, device })
const publish = (zone: Zone, body: unknown = { cfg }, device = 'CR2700') =>
  zone.manager.call('publishCfg', { params: makeParams(zone, device), body })

/** Reads everything that a publish writes. */
async function written(zone: Zone) {
  const [publications, desired, audit, events] = await Promise.all([
    db.selectFrom('publication').selectAll().where('zone_id', '=', zone.key).orderBy('revision').execute(),
    db.selectFrom('desired').selectAll().where('zone_id', '=', zone.key).execute(),
    db.selectFrom('audit_entry').selectAll().where('organization_id', '=', zone.organization.key).orderBy('id').execute(),
    db.selectFrom('event').selectAll().where('zone_id', '=', zone.id).where('kind', '=', 'desired').execute(),
  ])
  return { publications, desired, audit: audit.filter(({ change_type }) => change_type === 'ZoneConfigChange'), events }
}

test('[API-LOC-05 ENT-25 PUB-11 PUB-13] publishes a CFG: one desired configuration with revision, hash, update time and publisher', async () => {
  const zone = await server.zone('ICU')
  const answer = await publish(zone, { cfg, updateTime: '23:59' })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ message: 'Published revision 1 for CR2700 in ICU, from 23:59.' })
  const { publications, desired, audit, events } = await written(zone)
  const content = { content: 'cfg', content_hash: sha256(cfg), size: cfg.length, file_name: null }
  expect(publications).toMatchObject([
    { ...content, device_type: 'CR2700', revision: 1, update_time: '23:59', published_by: zone.manager.userId },
  ])
  expect(desired).toMatchObject([{ device_type: 'CR2700', revision: 1, publication_id: publications[0]?.id }])
  expect(audit).toMatchObject([
    {
      initiator_id: zone.manager.userId,
      target: 'CR2700',
      zone_name: 'ICU',
      version: '1',
      new_value: sha256(cfg),
      config_name: `CFG ${sha256(cfg).slice(0, 8)}`,
      request_id: answer.headers.get('x-request-id'),
    },
  ])
  expect(events).toHaveLength(1)
})

test('[NOW-03] a publish is of the moment it was asked for, however long its bytes take', async () => {
  const zone = await server.zone()
  const params = makeParams(zone)
  const { token } = zone.manager
  const body = JSON.stringify({ cfg })
  const sending = request(
    `${server.url}/api/codedm/organization/${params.organizationId}/location/${params.location}/device/CR2700/configuration/cfg`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    },
  )
  sending.flushHeaders()
  await once(sending, 'continue')
  const { rows } = await sql<{ asked: Date }>`select clock_timestamp() as asked`.execute(db)
  sending.end(body)
  const [response] = await once(sending, 'response')
  expect(response.statusCode).toBe(200)
  const [publication] = (await written(zone)).publications
  expect(publication!.published_at.getTime()).toBeLessThanOrEqual(rows[0]!.asked.getTime())
})

test('[PUB-13] without an update time it is 02:00', async () => {
  const zone = await server.zone()
  await publish(zone)
  expect((await written(zone)).publications[0]?.update_time).toBe('02:00')
})

test.for(['24:00', '2:00', '02:60', '02:00:00', '', 'noon', null, 200])(
  '[PUB-13] refuses the update time %j in words',
  async (updateTime) => {
    const zone = await server.zone()
    const { status, problem } = await publish(zone, { cfg, updateTime })
    expect([status, problem.errors?.map(({ field }) => field)]).toEqual([400, ['updateTime']])
    if (typeof updateTime === 'string') expect(problem.detail).toBe('The update time must be a time of day, such as 02:00.')
    expect((await written(zone)).publications).toEqual([])
  },
)

test('[NOW-01] published now, readers update as soon as their host PC has it; an update time beside it is refused', async () => {
  const zone = await server.zone('ICU')
  const host = await server.host(zone)
  const start = async () => {
    const { body } = await host.call('getDesired')
    return body.configurations.map(({ atOnce, updateTime }) => [atOnce, updateTime])
  }
  const answer = await publish(zone, { cfg, when: 'now' })
  expect([answer.status, answer.body]).toEqual([200, { message: 'Published revision 1 for CR2700 in ICU, at once.' }])
  expect(await start()).toEqual([[true, '02:00']])

  const both = await publish(zone, { cfg, when: 'now', updateTime: '02:00' })
  expect([both.status, both.problem.detail]).toEqual([400, 'Give either an update time or "when": "now", not both.'])
  for (const when of ['later', 'NOW', '', null, true]) {
    const { status, problem } = await publish(zone, { cfg, when })
    expect([when, status, problem.detail]).toEqual([when, 400, 'If "when" is given, it must be "now".'])
  }
  expect((await written(zone)).publications).toHaveLength(1)
  await publish(zone, { cfg, updateTime: '05:00' })
  expect(await start()).toEqual([[false, '05:00']])
})

test('[NOW-01] a script and firmware are published now as well', async () => {
  const zone = await server.zone('ICU')
  const file = new File(['rules_onDecode = (decode) => decode\n'], 'ward.js')
  const params = makeParams(zone)
  const script = await zone.manager.call('publishCodeRules', { params, file, fields: { when: 'now' } })
  expect(script.body.message).toBe('Published revision 1 for CR2700 in ICU, at once.')
  const own = new File(['bytes'], 'own.crvfw')
  const firmware = await zone.manager.call('publishFirmwareFile', { params, file: own, fields: { when: 'now' } })
  expect(firmware.body.message).toBe('Published firmware own.crvfw for CR2700 in ICU, at once.')
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version: '7.1.0' }, file: own })
  const version = await zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: '7.1.0', when: 'now' } })
  expect(version.body.message).toBe('Published firmware 7.1.0 for CR2700 in ICU, at once.')
  const publications = (await db.selectFrom('publication').selectAll().where('zone_id', '=', zone.key).execute()).map(
    ({ at_once }) => at_once,
  )
  expect(publications).toEqual([true, true, true])
  const both = { when: 'now' as const, updateTime: '03:00' }
  const answers = [
    await zone.manager.call('publishCodeRules', { params, file, fields: both }),
    await zone.manager.call('publishFirmwareFile', { params, file: own, fields: both }),
    await zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: '7.1.0', ...both } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
})

test('[NOW-01] it does not wait where the database’s clock is ahead', async () => {
  const zone = await server.zone('ICU')
  const rollout = uuidv7()
  await (await server.host(zone)).checkIn([reader('A')])
  await publish(zone, { cfg, when: 'now', rollout })
  await sql`update publication set published_at = now() + interval '1 hour' where rollout_id = ${rollout}`.execute(db)
  const { body } = await zone.manager.call('getRollout', { params: { organizationId: zone.organization.id, id: rollout } })
  expect(body.state).toBe('updating')
})

test('[PUB-11] a newer publish replaces the previous one, for its model and zone only, and keeps the history', async () => {
  const zone = await server.zone()
  for (const [text, device] of [
    ['<cfg>1</cfg>', 'CR2700'],
    ['<cfg>2</cfg>', 'CR2700'],
    ['<cfg>1</cfg>', 'A271/2'],
  ])
    await publish(zone, { cfg: text }, device)
  const { publications, desired } = await written(zone)
  expect(publications.map(({ device_type, revision }) => [device_type, revision]).sort()).toEqual([
    ['A271/2', 1],
    ['CR2700', 1],
    ['CR2700', 2],
  ])
  expect(desired.map(({ device_type, revision }) => [device_type, revision]).sort()).toEqual([
    ['A271/2', 1],
    ['CR2700', 2],
  ])
  const host = await server.host(zone)
  const { body } = await host.call('getDesired')
  expect(body).toMatchObject({ zoneId: zone.id, zoneName: zone.name })
  expect(body.configurations.map(({ deviceType, contentHash }) => [deviceType, contentHash])).toEqual([
    ['A271/2', sha256('<cfg>1</cfg>')],
    ['CR2700', sha256('<cfg>2</cfg>')],
  ])
  const neighbor = await server.host(await server.zone('Another zone', zone.organization))
  expect((await neighbor.call('getDesired')).body.configurations).toEqual([])
})

test.for(updateModels)('[API-LOC-05] %s survives the address, the audit log and the agent', async (device) => {
  const zone = await server.zone()
  expect((await publish(zone, { cfg }, device)).body.message).toContain(`for ${device} in`)
  expect((await written(zone)).audit).toMatchObject([{ target: device }])
  const host = await server.host(zone)
  expect((await host.call('getDesired')).body.configurations).toMatchObject([{ deviceType: device, revision: 1 }])
})

test.for(['CR950', 'cr2700', 'A271', ' ', 'A271/2/'])('[WIZ-05] refuses the device %s', async (device) => {
  const zone = await server.zone()
  const { status, problem } = await publish(zone, { cfg }, device)
  expect([status, problem.detail]).toEqual([400, `Invalid device: ${device}`])
})

test.for<[string, unknown, RegExp]>([
  ['that is not closed', { cfg: '<cfg><a>' }, /^The configuration is not closed: it must end with <\/cfg>\.$/],
  ['that is empty', { cfg: ' \n' }, /^The configuration is empty\./],
  ['that does not start with a tag', { cfg: 'cfg></cfg>' }, /^The configuration does not start with a tag/],
  ['with a NUL', { cfg: '<cfg>\0</cfg>' }, /characters that are no text/],
  ['with half of a character', { cfg: '<cfg>\ud800</cfg>' }, /characters that are no text/],
  ['that is too long', { cfg: `<cfg>${'x'.repeat(1_000_000)}</cfg>` }, /longer than 1000000 characters/],
  ['that is no text', { cfg: 7 }, /^cfg invalid input: expected string/],
  ['that is not there', {}, /^cfg invalid input: expected string/],
  ['in a list', [{ cfg }], /invalid input: expected object/],
])('[API-LOC-05] refuses a CFG %s, in words, and keeps nothing', async ([, body, words]) => {
  const zone = await server.zone()
  const { status, problem } = await publish(zone, body)
  expect(status).toBe(400)
  expect(problem.detail).toMatch(words)
  expect(await written(zone)).toEqual({ publications: [], desired: [], audit: [], events: [] })
})

test("[API-LOC-05 PER-20] refuses another organization's zone, and one that was deleted, in words", async () => {
  const [zone, other] = [await server.zone(), await server.zone()]
  const detail = 'There is no such zone. It may have been deleted.'
  const refusal = async (location: string) => {
    const { status, problem } = await zone.manager.call('publishCfg', { params: { ...makeParams(zone), location }, body: { cfg } })
    return [status, problem.detail]
  }
  expect(await refusal(other.id)).toEqual([404, detail])
  expect(await refusal(uuidv7())).toEqual([404, detail])
  await zone.manager.call('deleteZone', { params: { organizationId: zone.organization.id, location: zone.id } })
  expect(await refusal(zone.id)).toEqual([404, detail])
  expect((await written(other)).publications).toEqual([])
})

test('[PUB-12] desired state, audit entry and event are one transaction: where one fails, none is written', async () => {
  for (const table of ['audit_entry', 'event', 'desired']) {
    const zone = await server.zone()
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`.execute(db)
    await sql`create trigger refuse before insert on ${sql.table(table)} for each row execute function refuse()`.execute(db)
    const failed = await publish(zone)
    await sql`drop function refuse cascade`.execute(db)
    expect([failed.status, failed.text.includes('disk')]).toEqual([500, false])
    expect(await written(zone)).toEqual({ publications: [], desired: [], audit: [], events: [] })
    expect((await publish(zone)).body.message).toContain('revision 1')
  }
})

test('[PUB-11] revisions under twenty publishes at once have no gap and no twin, and the last one is desired', async () => {
  const zone = await server.zone()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => publish(zone, { cfg: `<cfg>${number}</cfg>` })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { publications, desired, audit, events } = await written(zone)
  expect(publications.map(({ revision }) => revision)).toEqual(Array.from({ length: 20 }, (_, number) => number + 1))
  expect(desired).toMatchObject([{ revision: 20, publication_id: publications.at(-1)?.id }])
  expect([audit.length, events.length]).toEqual([20, 20])
})

test('a publish that meets a deletion either comes first or is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const zone = await server.zone()
    const params = { organizationId: zone.organization.id, location: zone.id }
    const [published, deleted] = await Promise.all([publish(zone), zone.manager.call('deleteZone', { params })])
    expect([200, 404]).toContain(published.status)
    expect(deleted.status).toBe(204)
  }
})

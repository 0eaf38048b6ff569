import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../../testing/makers.ts'
import { rolloutZone } from '../../testing/rollout-zone.ts'
import { serverForFile } from '../../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

type Zone = Awaited<ReturnType<typeof rolloutZone>>

/** Returns a function that reads a page of the list, as the titles of its rollouts or the names that a test gave them. */
const lists =
  ({ manager, organizationId }: Pick<Zone, 'manager' | 'organizationId'>) =>
  async (query: Record<string, unknown> = {}, names?: Record<string, string>) => {
    const { rolloutList, totalCount } = (await manager.call('listRollouts', { params: { organizationId }, query })).body
    expect(rolloutList.length).toBeLessThanOrEqual(totalCount)
    return rolloutList.map(({ id, title }) => names?.[id] ?? title)
  }

const inTwoHours = () =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' }).format(Date.now() + 7_200_000)

/** A rollout to 21 zones of one reader each, which is read from its sums. */
async function insertLarge(organization: { key: number }, name: string): Promise<string> {
  const id = uuidv7()
  await db.insertInto('rollout').values({ id, organization_id: organization.key }).execute()
  await sql`
    with zones as (
      insert into zone (public_id, organization_id, name) select gen_random_uuid(), ${organization.key}::int, ${name} || n from generate_series(1, 21) n returning *
    ) insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at)
      select organization_id, name, 'CR2700', id, now() from zones`.execute(db)
  await sql`
    insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, size, update_time, rollout_id)
    select gen_random_uuid(), organization_id, id, name, 'CR2700', 1, 'cfg', repeat('b', 64), 10, '02:00', ${id}
    from zone where organization_id = ${organization.key} and name like ${`${name}%`}`.execute(db)
  return id
}

const haltByLimit = (rollout: string) =>
  sql`
    insert into safety_halt (rollout_id, zone_id, organization_id, above_percent, failed, readers)
    select rollout_id, zone_id, organization_id, 4, 1, 1 from publication where rollout_id = ${rollout}`.execute(db)

test('[MNY-05] rollouts are narrowed to a state, each to those that show it; failed readers are found whatever the state', async () => {
  const zone = await rolloutZone(server, ['A', 'B'])
  const { manager, organizationId, publish, report, change } = zone
  const list = lists(zone)
  const names: Record<string, string> = {}
  const other = async (name: string, readers: number, start: object = { when: 'now' }) => {
    const there = await server.zone(name, zone.zone.organization)
    const host = await server.host(there, `HOST ${name}`)
    await host.checkIn(Array.from({ length: readers }, (_, index) => reader(`${name}-${index}`)))
    const id = uuidv7()
    const params = { organizationId, location: there.id, device: 'CR2700' }
    await manager.call('publishCfg', { params, body: { cfg: `<cfg>${name}</cfg>`, rollout: id, ...start } })
    names[id] = name
    return { id, host }
  }
  names[(await publish('1')).id] = 'replaced'
  const failed = await publish('2')
  names[failed.id] = 'failed'
  await report(['A', 'applied'], ['B', 'failed'])
  names[(await publish('3')).id] = 'complete'
  await report(['A', 'applied'], ['B', 'applied'])
  await other('empty', 0)
  await other('updating', 1)
  await other('scheduled', 1, { updateTime: inTwoHours() })
  const waiting = await other('waitingForHost', 1)
  await manager.call('removeHost', { params: { organizationId, host: waiting.host.hostId } })
  await change('haltRollout', (await other('halted', 2)).id)
  // This reader came after the last fold, so the kept sums lack it. The rollout is not empty any more all the same.
  const opened = await other('opened', 0)
  await opened.host.checkIn([reader('opened-0')])
  const [large, largeHalted] = [await insertLarge(zone.zone.organization, 'L'), await insertLarge(zone.zone.organization, 'H')]
  Object.assign(names, { [large]: 'large', [largeHalted]: 'large halted' })
  await change('haltRollout', largeHalted)
  const limited = await insertLarge(zone.zone.organization, 'S')
  names[limited] = 'large limited'
  await haltByLimit(limited)
  // In this rollout, a user lets a zone go on beyond the limit.
  const passed = await insertLarge(zone.zone.organization, 'P')
  names[passed] = 'large passed'
  await haltByLimit(passed)
  await sql`update safety_halt set is_resumed = true where rollout_id = ${passed} and zone_id = (select min(zone_id) from safety_halt where rollout_id = ${passed})`.execute(
    db,
  )

  const inState = async (state: string) => (await list({ state, PageSize: 100 }, names)).sort()
  const shown = (await manager.call('listRollouts', { params: { organizationId }, query: { PageSize: 100 } })).body.rolloutList
  expect(Object.fromEntries(shown.map(({ id, state }) => [names[id], state]))).toEqual({
    replaced: 'replaced',
    failed: 'complete',
    complete: 'complete',
    empty: 'empty',
    updating: 'updating',
    scheduled: 'scheduled',
    waitingForHost: 'waitingForHost',
    halted: 'halted',
    opened: 'updating',
    large: 'underWay',
    'large halted': 'halted',
    'large limited': 'halted',
    'large passed': 'underWay',
  })
  expect(await inState('complete')).toEqual(['complete', 'failed'])
  expect(await inState('failed')).toEqual(['failed'])
  expect(await inState('replaced')).toEqual(['replaced'])
  expect(await inState('empty')).toEqual(['empty'])
  expect(await inState('updating')).toEqual(['opened', 'updating'])
  expect(await inState('scheduled')).toEqual(['scheduled'])
  expect(await inState('waitingForHost')).toEqual(['waitingForHost'])
  expect(await inState('halted')).toEqual(['halted', 'large halted', 'large limited'])
  expect(await inState('underWay')).toEqual(['large', 'large passed', 'opened', 'scheduled', 'updating', 'waitingForHost'])
  const detail = async (id: string) => (await manager.call('getRollout', { params: { organizationId, id } })).body
  expect(await detail(limited)).toMatchObject({ isSummed: true, state: 'halted', isHalted: true, haltable: 0 })
  expect(await detail(passed)).toMatchObject({ isSummed: true, state: 'underWay', isHalted: true, haltable: 1 })
  // The list has the newest rollouts first, in pages, with the number of all.
  const page = await manager.call('listRollouts', { params: { organizationId }, query: { state: 'underWay', PageSize: 2, PageNumber: 1 } })
  expect(page.body.rolloutList.map(({ id }) => names[id])).toEqual(['opened', 'waitingForHost'])
  expect(page.body.totalCount).toBe(6)
})

test('[SEE-01 MNY-05] what was replaced or rolled back is not complete, with many zones or few: in list, filter, page and zones', async () => {
  const zone = await rolloutZone(server, ['A', 'B', 'C'])
  const { manager, organizationId, publish, report, rollBack } = zone
  const annex = await server.zone('Annex', zone.zone.organization)
  const annexHost = await server.host(annex, 'HOST ANNEX')
  await annexHost.checkIn([reader('X')])
  const names: Record<string, string> = {}
  const extend = (rollout: string) =>
    manager.call('publishCfg', {
      params: { organizationId, location: annex.id, device: 'CR2700' },
      body: { cfg: `<cfg>${rollout}</cfg>`, when: 'now', rollout },
    })
  const reportAnnex = async () => {
    const { publication } = (await annexHost.call('getDesired', { query: { knowsReturns: true } })).body.configurations[0]!
    const at = new Date().toISOString()
    await annexHost.call('reportOutcomes', {
      body: { outcomes: [{ publication, serialNumber: 'X', outcome: 'applied', reason: null, at }] },
    })
  }
  // One reader of three had this rollout when it was replaced, and the annex is complete.
  const partly = (await publish('1')).id
  names[partly] = 'partly'
  await extend(partly)
  await report(['A', 'applied'])
  await reportAnnex()
  const whole = (await publish('2')).id
  names[whole] = 'whole'
  await report(['A', 'applied'], ['B', 'applied'], ['C', 'applied'])
  const back = (await publish('3')).id
  names[back] = 'back'
  await extend(back)
  await report(['A', 'applied'], ['B', 'applied'], ['C', 'applied'])
  await reportAnnex()
  const large = await insertLarge(zone.zone.organization, 'L')
  names[large] = 'large'
  // All zones but two have this rollout. In these two it was replaced; in one of them, its reader had it before.
  await sql`
    update publication set replaced_at = now(), replaced_readers = 1
    where rollout_id = ${large} and zone_name in ('L1', 'L2')`.execute(db)
  await sql`
    insert into outcome (organization_id, publication_id, device_id, outcome, happened_at)
    select p.organization_id, p.id, d.id, 'applied', now() from publication p
    join device d on d.organization_id = p.organization_id and d.zone_id = p.zone_id where p.rollout_id = ${large} and p.zone_name <> 'L1'`.execute(
    db,
  )
  const list = async (state?: string) => {
    const { rolloutList } = (await manager.call('listRollouts', { params: { organizationId }, query: { PageSize: 100, state } })).body
    return Object.fromEntries(
      rolloutList.flatMap(({ id, state, counts }) => (names[id] ? [[names[id], [state, counts.applied, counts.readers]]] : [])),
    )
  }
  const page = async (id: string) => (await manager.call('getRollout', { params: { organizationId, id } })).body
  const zonesIn = async (id: string, state: string) =>
    (await manager.call('listRolloutParts', { params: { organizationId, id }, query: { state } })).body.partList.map((part) => part.zone)

  const shown = { partly: ['replaced', 2, 4], whole: ['complete', 3, 3], back: ['complete', 4, 4], large: ['replaced', 20, 21] }
  expect(await list()).toEqual(shown)
  expect(await list('replaced')).toEqual({ partly: shown.partly, large: shown.large })
  expect(await list('complete')).toEqual({ whole: shown.whole, back: shown.back })
  expect((await page(partly)).state).toBe('replaced')
  expect([await zonesIn(partly, 'replaced'), await zonesIn(partly, 'complete')]).toEqual([['ICU 3 North'], ['Annex']])
  expect(await page(large)).toMatchObject({ isSummed: true, state: 'replaced' })

  // A member whose role is limited to the annex rolls the roll back back there.
  const limited = await server.limitedPerson(zone.zone.organization, [annex], ['manage:cfg'])
  const params = { organizationId, id: back }
  expect((await limited.call('rollBackRollout', { params, body: { updateTime: null } })).status).toBe(200)
  expect(await page(back)).toMatchObject({ state: 'replaced', isRolledBackInPart: true, counts: { applied: 4, readers: 4 } })
  expect([await zonesIn(back, 'replaced'), await zonesIn(back, 'complete')]).toEqual([['Annex'], ['ICU 3 North']])
  await rollBack(back)
  const after = await page(back)
  expect(after).toMatchObject({ state: 'replaced', rolledBackBy: expect.any(String) })
  expect(after).not.toHaveProperty('isRolledBackInPart')
  expect(await zonesIn(back, 'replaced')).toEqual(['Annex', 'ICU 3 North'])
  expect(await list('complete')).toEqual({ whole: shown.whole })
  expect(await list('replaced')).toEqual({ partly: shown.partly, large: shown.large, back: ['replaced', 4, 4] })
})

test('[MNY-05] rollouts are found by what they hold and where, by who published them and when, and by all of these together', async () => {
  const zone = await rolloutZone(server, [])
  const { organizationId, manager } = zone
  const list = lists(zone)
  const annex = await server.zone('Annex', zone.zone.organization)
  const colleague = await server.person({ organization: zone.zone.organization, permissions: ['manage:cfg', 'manage:firmware'] })
  await sql`update "user" set first_name = 'Zoe', last_name = 'Adams' where id = ${colleague.userId}`.execute(db)
  const publish = async (person: Pick<typeof manager, 'call'>, location: string, device: string, fileName: string, at: string) => {
    const id = uuidv7()
    const file = new File(['rules_onDecode = () => undefined'], fileName)
    const answer = await person.call('publishCodeRules', {
      params: { organizationId, location, device },
      file,
      fields: { when: 'now', rollout: id },
    })
    expect(answer.status).toBe(200)
    await sql`update rollout set published_at = ${at}::timestamptz where id = ${id}`.execute(db)
    return id
  }
  await publish(manager, zone.zone.id, 'CR2700', 'wrist band 7%.js', '2026-03-01T10:00:00Z')
  const joint = await publish(colleague, annex.id, 'A271/2', 'pallets.js', '2026-03-02T10:00:00Z')
  const firmware = await publish(manager, annex.id, 'CR2700', 'later.js', '2026-03-03T10:00:00Z')
  await sql`
    update rollout_content set content = 'firmware', version = '5.10.2', file_name = null where rollout_id = ${firmware}`.execute(db)
  await sql`
    insert into rollout_content (organization_id, rollout_id, device_type, content, content_hash) values (${zone.zone.organization.key}, ${joint}, 'CR1500', 'cfg', ${'c0ffee'.padEnd(64, '0')})`.execute(
    db,
  )
  const titles = { firmware: 'Firmware 5.10.2', joint: 'CFG c0ffee00 and pallets.js', wrist: 'wrist band 7%.js' }
  expect(await list()).toEqual([titles.firmware, titles.joint, titles.wrist])
  expect(await list({ textFilter: ' BAND wrist ' })).toEqual([titles.wrist])
  expect(await list({ textFilter: '%' })).toEqual([titles.wrist])
  expect(await list({ textFilter: 'pallets c0ff' })).toEqual([titles.joint])
  expect(await list({ textFilter: 'firmware 5.1' })).toEqual([titles.firmware])
  expect(await list({ textFilter: 'pallets nothing' })).toEqual([])
  expect(await list({ kind: 'firmware' })).toEqual([titles.firmware])
  expect(await list({ kind: 'configuration' })).toEqual([titles.joint, titles.wrist])
  expect(await list({ model: 'CR2700' })).toEqual([titles.firmware, titles.wrist])
  expect(await list({ model: 'CR2700', kind: 'configuration' })).toEqual([titles.wrist])
  expect(await list({ zone: annex.id })).toEqual([titles.firmware, titles.joint])
  expect(await list({ person: colleague.userId })).toEqual([titles.joint])
  expect(await list({ from: '2026-03-02T10:00:00Z' })).toEqual([titles.firmware, titles.joint])
  expect(await list({ to: '2026-03-02T10:00:00Z' })).toEqual([titles.wrist])
  expect(await list({ zone: annex.id, person: manager.userId, kind: 'firmware', from: '2026-03-01T00:00:00Z', state: 'empty' })).toEqual([
    titles.firmware,
  ])
  expect(await list({ person: manager.userId, to: '2026-03-02T00:00:00Z', state: 'complete' })).toEqual([])
  const choices = await manager.call('getRolloutChoices', { params: { organizationId } })
  expect(choices.body.people).toEqual([
    { id: manager.userId, name: manager.email },
    { id: colleague.userId, name: 'Zoe Adams' },
  ])
  for (const query of [{ state: 'sideways' }, { zone: 'x' }, { from: 'yesterday' }, { textFilter: 'x'.repeat(201) }])
    expect((await manager.call('listRollouts', { params: { organizationId }, query })).status).toBe(400)
})

test('[PER-20] neither the filters nor their choices reach the rollouts of another organization', async () => {
  const [one, two] = [await rolloutZone(server, ['A']), await rolloutZone(server, ['B'])]
  await one.publish('mine')
  const list = lists(two)
  expect(await list({ zone: one.zone.id })).toEqual([])
  expect(await list({ person: one.manager.userId })).toEqual([])
  expect(await list({ state: 'underWay' })).toEqual([])
  const { body } = await two.manager.call('getRolloutChoices', { params: { organizationId: two.organizationId } })
  expect(body).toEqual({ people: [] })
})

import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import { sweepRollouts } from './rollouts.ts'

const server = await serverForFile()
const { db } = server.app

const zones = 70
const numbers = Array.from({ length: zones }, (_, index) => index + 1)
const serial = (zone: number, reader: number) => `R-${String(zone).padStart(2, '0')}-${reader}`

/**
 * Opens a rollout to many zones with four readers each. In each zone the first reader has it, the second failed, and the others wait. The second
 * has left every seventh zone, and every fifth zone has something newer.
 */
async function openLarge() {
  const zone = await server.zone('Annex')
  const { organization, manager, key: annex } = zone
  const { key } = organization
  const id = uuidv7()
  await db.insertInto('rollout').values({ id, organization_id: key }).execute()
  await sql`
    insert into zone (public_id, organization_id, name)
    select gen_random_uuid(), ${key}::int, 'Zone ' || lpad(n::text, 2, '0') from generate_series(1, ${zones}::int) n`.execute(db)
  await sql`
    insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, size, update_time, rollout_id)
    select gen_random_uuid(), ${key}::int, z.id, z.name, 'CR2700', 1, 'cfg', repeat('a', 64), 10, '02:00', ${id}
    from (select * from zone where organization_id = ${key} and name like 'Zone %' order by name) z`.execute(db)
  await sql`
    insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at)
    select ${key}::int, replace(z.name, 'Zone ', 'R-') || '-' || n, 'CR2700', z.id, now() from zone z, generate_series(1, 4) n
    where z.organization_id = ${key} and z.name like 'Zone %' order by 2`.execute(db)
  await sql`
    insert into outcome (publication_id, device_id, organization_id, outcome, happened_at)
    select p.id, d.id, p.organization_id, case when d.serial_number like '%-1' then 'applied' else 'failed' end, now()
    from publication p join device d on d.organization_id = ${key} and d.zone_id = p.zone_id
    where p.organization_id = ${key} and d.serial_number similar to '%-(1|2)'`.execute(db)
  const left = numbers.filter((number) => number % 7 === 0).map((number) => serial(number, 2))
  await sql`update device set zone_id = ${annex} where organization_id = ${key} and serial_number = any(${left})`.execute(db)
  const replaced = numbers.filter((number) => number % 5 === 0).map((number) => `Zone ${String(number).padStart(2, '0')}`)
  await sql`update publication set replaced_at = now(), replaced_readers = 4 where organization_id = ${key} and zone_name = any(${replaced})`.execute(
    db,
  )
  const params = { organizationId: organization.id, id }
  const page = async (query: object) => (await manager.call('listRolloutReaders', { params, query: { PageSize: 25, ...query } })).body
  const zoneId = async (name: string): Promise<string> =>
    (await db.selectFrom('zone').select('public_id').where('organization_id', '=', key).where('name', '=', name).executeTakeFirstOrThrow())
      .public_id
  return { key, page, zoneId }
}

const states = ['applied', 'failed', 'waiting', 'waiting']
const listed = numbers.flatMap((zone) =>
  states.slice(0, zone % 5 === 0 ? 2 : 4).map((state, index) => [serial(zone, index + 1), state] as const),
)
const inState = (state: string) => listed.filter(([, one]) => one === state)

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openLarge>>['page']>>
const listReaders = ({ readerList }: Page) => readerList.map(({ serialNumber, state }) => [serialNumber, state])

test('[PUB-15] the pages of the readers of many zones follow each other, each reader once, with the number of all', async () => {
  const { page, zoneId, key } = await openLarge()
  const readAll = async (query: object, count: number) => {
    const pages = await Promise.all(Array.from({ length: Math.ceil(count / 25) }, (_, PageNumber) => page({ ...query, PageNumber })))
    expect(pages.filter(({ totalCount, hasMore }) => totalCount !== count || hasMore)).toEqual([])
    return pages.flatMap(listReaders)
  }
  const compare = async () => {
    expect(await readAll({}, listed.length)).toEqual(listed)
    expect(await readAll({ model: 'CR2700' }, listed.length)).toEqual(listed)
    for (const state of ['applied', 'failed']) expect(await readAll({ state }, zones)).toEqual(inState(state))
    expect(await page({ PageNumber: 1_000 })).toMatchObject({ readerList: [], totalCount: listed.length })
    expect(await page({ model: 'CR1500' })).toMatchObject({ readerList: [], totalCount: 0 })
    expect(listReaders(await page({ zone: await zoneId('Zone 07') }))).toEqual(listed.filter(([one]) => one.startsWith('R-07-')))
  }
  // The pages are right with the sums as writes have left them, and once they are folded.
  await compare()
  await sweepRollouts(db)
  await compare()
  await sql`delete from device where organization_id = ${key} and serial_number = ${serial(1, 3)}`.execute(db)
  const others = listed.filter(([one]) => one !== serial(1, 3))
  expect(await readAll({}, others.length)).toEqual(others)
})

test('[PUB-15] of readers whose number is not kept a hundred are counted, of few all', async () => {
  const { page } = await openLarge()
  const waiting = inState('waiting')
  expect(waiting).toHaveLength(112)
  const first = await page({ state: 'waiting' })
  expect([first.totalCount, first.hasMore, listReaders(first)]).toEqual([100, true, waiting.slice(0, 25)])
  const last = await page({ state: 'waiting', PageNumber: 4 })
  expect([last.totalCount, last.hasMore, listReaders(last)]).toEqual([112, undefined, waiting.slice(100)])
  const beyond = await page({ state: 'waiting', PageNumber: 9 })
  expect([beyond.totalCount, beyond.hasMore, listReaders(beyond)]).toEqual([112, undefined, []])
  for (const textFilter of ['r-1', 'R-1']) {
    const named = await page({ textFilter })
    expect([named.totalCount, listReaders(named)]).toEqual([36, listed.filter(([one]) => one.startsWith('R-1')).slice(0, 25)])
  }
  const failed = await page({ textFilter: '-2', state: 'failed' })
  expect([failed.totalCount, listReaders(failed)]).toEqual([zones, inState('failed').slice(0, 25)])
  expect(await page({ textFilter: '-1', state: 'silent' })).toMatchObject({ readerList: [], totalCount: 0 })
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })

interface Counts {
  totals: { organizations: number; groups: number; members: number }
  /** Members of each group that has some. */
  groups: Record<number, number>
}

const byGroup = (rows: { id: number; members: number }[]) => Object.fromEntries(rows.map(({ id, members }) => [id, members]))

/** Stored counts beside counted ones. */
async function counts(): Promise<{ kept: Counts; counted: Counts }> {
  const keptGroups = await sql<{
    id: number
    members: number
  }>`select id, member_count as members from "group" where member_count <> 0`.execute(db)
  const groups = await sql<{ id: number; members: number }>`select group_id as id, count(*)::int as members from member group by 1`.execute(
    db,
  )
  const totals = await sql<Counts['totals']>`select (select count(*)::int from organization) as organizations,
    (select count(*)::int from "group") as groups, (select count(*)::int from member) as members`.execute(db)
  return {
    kept: { totals: (await staff.call('getDirectoryTotals')).body, groups: byGroup(keptGroups.rows) },
    counted: { totals: totals.rows[0]!, groups: byGroup(groups.rows) },
  }
}

async function expectExact(): Promise<void> {
  const { kept, counted } = await counts()
  expect(kept).toEqual(counted)
}

type Person = Awaited<ReturnType<typeof server.person>>
const newcomer = () => server.person({ email: `${randomUUID()}@${randomUUID()}.example` })

interface Chosen {
  a: number
  b: number
  groups: { id: number; organization_id: number }[]
  people: Person[]
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]

/** Everything that changes how many there are: through the API, and behind its back. */
const changes: Record<string, (chosen: Chosen) => Promise<unknown>> = {
  async register({ people }) {
    people.push(await newcomer())
    await people.at(-1)!.call('registerOrganization', { query: { companyName: randomUUID() } })
  },
  'create group': async ({ people, b }) => pick(people, b)!.call('createGroup', { body: { name: 'Group' } }),
  async join({ groups, people, a, b }) {
    const [group, person] = [pick(groups, a), pick(people, b)!]
    if (!group) return
    await db.deleteFrom('invitation').execute()
    await person.call('joinGroup', { params: { id: group.id }, body: { invitation: await server.invitation(group.id, person.email) } })
  },
  async move({ people, b }) {
    const person = pick(people, b)!
    const group = pick((await person.call('listGroups')).body, b)
    if (group) await person.call('joinGroup', { params: { id: group.gid } })
  },
  async 'delete group'({ groups, a, b }) {
    const [group, replacement] = [pick(groups, a), pick(groups, b)]
    if (group && replacement) await staff.call('deleteGroup', { params: { id: group.id }, body: { replacementGroupId: replacement.id } })
  },
  'add many': async ({ groups, a, b }) =>
    sql`insert into member (organization_id, user_id, group_id)
      select g.organization_id, u.id, g.id from "user" u, lateral (select * from "group" order by id offset ${a % Math.max(1, groups.length)}::int limit 1) g
      where u.id in (select id from "user" order by id desc limit ${b}::int) on conflict do nothing`.execute(db),
  'upsert many': async ({ groups, a, b }) =>
    sql`insert into member (organization_id, user_id, group_id)
      select g.organization_id, u.id, g.id from "user" u, lateral (select * from "group" order by id desc offset ${b % Math.max(1, groups.length)}::int limit 1) g
      where u.id in (select id from "user" order by id desc limit ${a}::int)
      on conflict (organization_id, user_id) do update set group_id = excluded.group_id`.execute(db),
  'move many': async () =>
    sql`update member m set group_id = (select min(g.id) from "group" g where g.organization_id = m.organization_id)`.execute(db),
  'delete person': async ({ people, b }) =>
    sql`delete from "user" where id = ${pick(people, b)!.userId} and ${people.length > 2}`.execute(db),
  'delete people': async ({ b }) =>
    sql`delete from "user" where id in (select user_id from member where user_id <> ${staff.userId} order by user_id limit ${b}::int)`.execute(
      db,
    ),
  'delete organization': async ({ groups, a }) => {
    const organizations = [...new Set(groups.map(({ organization_id }) => organization_id))]
    await sql`delete from organization where id = ${pick(organizations, a) ?? 0}`.execute(db)
  },
  'delete all organizations': async () => sql`delete from organization`.execute(db),
}
const step = fc.record({ kind: fc.constantFrom(...Object.keys(changes)), a: fc.nat(20), b: fc.nat(20) })

test('totals and the members of each group are what counting finds, after any changes', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), async (steps) => {
      for (let number = 0; number < 2; number++)
        await (await newcomer()).call('registerOrganization', { query: { companyName: randomUUID() } })
      const people: Person[] = [await newcomer(), await newcomer()]
      for (const { kind, a, b } of steps) {
        const groups = await db.selectFrom('group').select(['id', 'organization_id']).orderBy('id').execute()
        await changes[kind]!({ a, b, groups, people })
        await expectExact()
      }
    }),
    { numRuns: 6, seed: 20_261_121 },
  )
})

test('people who register, join and move at once leave the counts exact, and no answer is an error of ours', {
  timeout: 120_000,
}, async () => {
  const home = await newcomer()
  await home.call('registerOrganization', { query: { companyName: randomUUID() } })
  const groups = [(await home.call('getCurrentUser')).body.group!.gid]
  for (let number = 0; number < 2; number++) groups.push((await home.call('createGroup', { body: { name: 'Group' } })).body.gid)
  const guests = await Promise.all(Array.from({ length: 6 }, () => server.person()))
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all([
      ...guests.map(async (guest, number) => {
        const id = groups[(number + round) % groups.length]!
        return guest.call('joinGroup', { params: { id }, body: { invitation: await server.invitation(id, guest.email) } })
      }),
      ...Array.from({ length: 3 }, async () => (await newcomer()).call('registerOrganization', { query: { companyName: randomUUID() } })),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    await expectExact()
  }
})

test('a member counts in their own organization, also where another has a group of the same number', async () => {
  const [one, two] = [await server.organization(), await server.organization()]
  await sql`insert into "group" (organization_id, id, name) overriding system value
    values (${two.key}, ${one.groupId}, 'Same'), (${one.key}, ${two.groupId}, 'Same')`.execute(db)
  const listCounts = async ({ name }: typeof one) => {
    const { body } = await staff.call('listAllOrganizations', { query: { textFilter: name, PageNumber: 0, PageSize: 10 } })
    return body.organizationList[0]!.groups.map(({ memberCount }) => memberCount)
  }
  const { userId } = await server.person({ organization: one })
  expect([await listCounts(one), await listCounts(two)]).toEqual([
    [1, 0],
    [0, 0],
  ])
  await sql`update member set group_id = ${two.groupId} where user_id = ${userId}`.execute(db)
  expect([await listCounts(one), await listCounts(two)]).toEqual([
    [0, 1],
    [0, 0],
  ])
  await sql`delete from member where user_id = ${userId}`.execute(db)
  expect([await listCounts(one), await listCounts(two)]).toEqual([
    [0, 0],
    [0, 0],
  ])
})

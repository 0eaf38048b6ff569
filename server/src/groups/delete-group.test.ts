import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })
await db
  .insertInto('product')
  .values(
    [50, 51, 52].map((id) => ({ id, title: `P${id}`, short: '', description: '', product_type: 'Other', faq: '[]', documents: '[]' })),
  )
  .execute()

/** An organization with groups; the first holds `members` people. */
async function organizationWithManager(groups = 2, members = 1) {
  const organization = await server.organization()
  const people = await Promise.all(Array.from({ length: members }, () => server.person({ organization, permissions: ['manage:people'] })))
  const [member] = people as [(typeof people)[0]]
  const ids = [organization.groupId]
  while (ids.length < groups) ids.push((await member.call('createGroup', { body: { name: `Group ${ids.length}` } })).body.gid)
  const [one, two] = ids as [number, number]
  return { organization, people, member, ids, one, two }
}
type Home = Awaited<ReturnType<typeof organizationWithManager>>

const remove = (id: number, replacementGroupId: unknown, { call } = staff) =>
  call('deleteGroup', { params: { id }, body: { replacementGroupId } })
const listGroups = async ({ member }: Home) => (await member.call('listGroups')).body
const setProducts = (id: number, productIds: number[]) => staff.call('setGroupProducts', { params: { id }, body: { productIds } })
const noReplacement = { status: 400, detail: 'The replacement must be another group of the same organization.' }

test('[API-GRP-04 ADM-09] its members and their products move to the replacement, which keeps its own', async () => {
  const home = await organizationWithManager(3, 4)
  const { one, two, organization } = home
  const people = home.people.slice(0, 3)
  const elsewhere = home.people[3]!
  await people[2]!.call('joinGroup', { params: { id: two } })
  await elsewhere.call('joinGroup', { params: { id: home.ids[2] } })
  await setProducts(one, [50, 51])
  await setProducts(two, [51, 52])
  const { status, text } = await remove(one, two)
  expect([status, text]).toEqual([204, ''])
  const groups = await listGroups(home)
  expect(groups.map(({ gid }) => gid)).toEqual(home.ids.slice(1))
  expect(groups[0]!.products).toEqual([50, 51, 52])
  expect(groups[0]!.users.map(({ email }) => email).sort()).toEqual(people.map(({ email }) => email).sort())
  expect((await people[0]!.call('getCurrentUser')).body.group).toMatchObject({ gid: two, products: [50, 51, 52] })
  const { member_count } = await db.selectFrom('group').select('member_count').where('id', '=', two).executeTakeFirstOrThrow()
  expect(member_count).toBe(3)
  expect(groups[1]!.users.map(({ email }) => email)).toEqual([elsewhere.email])
  expect((await remove(one, two)).problem).toMatchObject({ status: 404, detail: 'There is no such group.' })
  const entries = db.selectFrom('audit_entry').select(['target', 'new_value', 'initiator_email']).where('change_type', '=', 'deleteGroup')
  expect(await entries.where('organization_id', '=', organization.key).execute()).toEqual([
    { target: `${organization.name} Products`, new_value: String(two), initiator_email: staff.email },
  ])
})

test("[PER-14] only the vendor's staff deletes a group, not even its members", async () => {
  const home = await organizationWithManager()
  const { problem } = await remove(home.one, home.two, home.member)
  expect(problem).toMatchObject({ status: 403, detail: 'This needs the permission “See all organizations”.' })
  expect(await listGroups(home)).toHaveLength(2)
})

test.for([0, -1, 1.5, 2_147_483_648, '1', null, undefined])('[VAL-02] refuses the replacement %j', async (replacementGroupId) => {
  const home = await organizationWithManager()
  const { status, problem } = await remove(home.one, replacementGroupId)
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ field: 'replacementGroupId' }])
  expect(await listGroups(home)).toHaveLength(2)
})

test('[VAL-02 ADM-09] the replacement is another group of the same organization', async () => {
  const [home, other] = [await organizationWithManager(), await organizationWithManager()]
  for (const replacement of [home.one, other.one, 2_147_483_647])
    expect((await remove(home.one, replacement)).problem).toMatchObject({
      ...noReplacement,
      errors: [{ field: 'replacementGroupId', message: noReplacement.detail }],
    })
  expect(await listGroups(home)).toHaveLength(2)
  expect(await listGroups(other)).toHaveLength(2)
  expect((await staff.call('deleteGroup', { params: { id: home.one } })).status).toBe(400)
})

test('[ADM-10] the last group of an organization cannot be deleted, and the problem names the reason', async () => {
  const [home, other] = [await organizationWithManager(1), await organizationWithManager()]
  for (const replacement of [other.one, home.one])
    expect((await remove(home.one, replacement)).problem).toMatchObject({
      status: 409,
      detail: `"${home.organization.name} Products" is the last group of its organization and cannot be deleted. Add another group first.`,
    })
  expect(await listGroups(home)).toMatchObject([{ gid: home.one, users: [{ email: home.member.email }] }])
})

test('[ADM-10] of two groups that are deleted at once, each for the other, one goes and the other stays', async () => {
  for (let round = 0; round < 4; round++) {
    const home = await organizationWithManager(2, 2)
    await home.people[1]!.call('joinGroup', { params: { id: home.two } })
    const answers = await Promise.all([remove(home.one, home.two), remove(home.two, home.one)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    const late = answers.find(({ status }) => status === 409)!
    expect(late.problem.detail).toContain('is the last group of its organization')
    expect((await listGroups(home)).map(({ users }) => users.length)).toEqual([2])
  }
})

test('a replacement that is deleted at the same time is refused, and no member is lost', async () => {
  for (let round = 0; round < 4; round++) {
    const home = await organizationWithManager(3, 2)
    const answers = await Promise.all([remove(home.one, home.two), remove(home.two, home.ids[2])])
    expect(answers[1]!.status).toBe(204)
    if (answers[0]!.status !== 204) expect(answers[0]!.problem).toMatchObject(noReplacement)
    const groups = await listGroups(home)
    expect(groups.flatMap(({ users }) => users)).toHaveLength(2)
  }
})

test('whatever else is done to a group while it is deleted, nothing is lost and no answer is an error of ours', {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < 4; round++) {
    const home = await organizationWithManager(2, 3)
    const { one, two, member, people } = home
    await people[1]!.call('joinGroup', { params: { id: two } })
    const guest = await server.person()
    const invitation = await server.invitation(one, guest.email)
    const answers = await Promise.all([
      remove(one, two),
      setProducts(one, [50, 51]),
      member.call('renameGroup', { params: { id: one }, body: { name: 'Renamed' } }),
      people[1]!.call('joinGroup', { params: { id: one } }),
      people[2]!.call('joinGroup', { params: { id: two } }),
      guest.call('joinGroup', { params: { id: one }, body: { invitation } }),
    ])
    expect(answers[0]!.status).toBe(204)
    for (const { status } of answers.slice(0, 5)) expect([200, 204, 404]).toContain(status)
    // Its link names the group that is gone.
    expect([200, 400]).toContain(answers[5]!.status)
    const [left, ...more] = await listGroups(home)
    expect(more).toEqual([])
    const joined = answers[5]!.status === 200
    expect(left!.users).toHaveLength(joined ? 4 : 3)
    expect(left!.products).toEqual(answers[1]!.status === 200 ? [50, 51] : [])
    const { member_count } = await db.selectFrom('group').select('member_count').where('id', '=', two).executeTakeFirstOrThrow()
    expect(member_count).toBe(left!.users.length)
  }
})

test('[ADM-09] however groups are merged, members and products stay in the organization until one group is left', {
  timeout: 180_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 3, maxLength: 8 }), async (merges) => {
      const home = await organizationWithManager(4, 3)
      for (const [index, { call }] of home.people.entries()) await call('joinGroup', { params: { id: home.ids[index + 1]! } })
      for (const [index, id] of home.ids.slice(1).entries()) await setProducts(id, [50 + index])
      for (const [from, to] of merges) {
        const ids = (await listGroups(home)).map(({ gid }) => gid)
        const [id, replacement] = [ids[from % ids.length]!, ids[to % ids.length]!]
        const { status } = await remove(id, replacement)
        expect(status).toBe(ids.length === 1 ? 409 : id === replacement ? 400 : 204)
        const groups = await listGroups(home)
        expect(new Set(groups.flatMap(({ users }) => users.map(({ email }) => email))).size).toBe(3)
        expect([...new Set(groups.flatMap(({ products }) => products))].sort()).toEqual([50, 51, 52])
      }
    }),
    { numRuns: 5, seed: 20_261_121 },
  )
})

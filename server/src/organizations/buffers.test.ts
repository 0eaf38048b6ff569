import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../lib/database/database.ts'
import { countRows, explain, listScans, type Plan, settle } from '../testing/database/plans.ts'
import { statementsDuring } from '../testing/database/statements.ts'
import { serverForFile } from '../testing/server.ts'

const organizations = 5_000
/** What the first answer of the administration page may read, from whatever table or index. */
const allowedRows = 200

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })
const pool = createPool(server.databaseUrl, { max: 1 })
afterAll(() => pool.end())

/** Organizations of four groups on average; the first in order have twenty. Each group has two members. */
beforeAll(async () => {
  await pool.query(`insert into organization (public_id, name)
    select 'org-' || lpad(n::text, 5, '0'), (array['Mercy', 'Harbor', 'Valley', 'Northern'])[1 + n % 4] || ' Clinic ' || lpad(n::text, 5, '0')
    from generate_series(1, ${organizations}) n`)
  await pool.query(`insert into "group" (organization_id, name)
    select id, 'Ward ' || n from organization, generate_series(1, case when name like 'Harbor Clinic 000%' then 20 else 4 end) n order by n, id`)
  await pool.query(`insert into "user" (id, issuer, subject, email)
    select gen_random_uuid(), 'seed', n::text, n || '@people.example' from generate_series(1, 20000) n`)
  await pool.query(`insert into member (organization_id, user_id, group_id)
    select g.organization_id, u.id, g.id from "group" g join "user" u on u.issuer = 'seed' and u.subject::int / 2 = g.id`)
  await settle(pool, 'organization', 'group', 'user', 'member')
})

/** The scans of all statements of a request, those that find out who asks included. */
async function scansBy(query: Record<string, unknown>): Promise<Plan[]> {
  const ask = () => staff.call('listAllOrganizations', { query })
  await ask()
  const sent = await statementsDuring(async () => expect((await ask()).status).toBe(200))
  expect(sent.length).toBeGreaterThanOrEqual(3)
  const scans: Plan[] = []
  for (const statement of sent) scans.push(...listScans(await explain(pool, statement)))
  return scans
}

const listIndexes = (scans: readonly Plan[]) => scans.map((scan) => scan['Index Name'])

test('the first page reads at most 200 rows, also where its organizations have more groups than it shows', async () => {
  const first = await scansBy({ PageNumber: 0, PageSize: 10 })
  expect(countRows(first)).toBeGreaterThan(10 * 13)
  expect(countRows(first)).toBeLessThanOrEqual(allowedRows)
  expect(first.map((scan) => scan['Node Type'])).not.toContain('Bitmap Heap Scan')
})

test('a page in the middle passes over index entries, and touches no more organizations than it shows', async () => {
  const scans = await scansBy({ PageNumber: organizations / 20, PageSize: 10 })
  const passing = scans.filter((scan) => scan['Index Name'] === 'organization_order')
  expect(passing).toMatchObject([{ 'Node Type': 'Index Only Scan', 'Heap Fetches': 0 }])
  expect(countRows(scans.filter((scan) => !passing.includes(scan)))).toBeLessThanOrEqual(allowedRows)
})

test.for(['clinic 00123', '00123'])('[ADM-03] the search %j uses the trigram index', async (textFilter) => {
  const scans = await scansBy({ PageNumber: 0, PageSize: 10, textFilter })
  expect(listIndexes(scans).filter((name) => name === 'organization_search')).toHaveLength(2)
  expect(countRows(scans)).toBeLessThanOrEqual(allowedRows)
})

test.for(['clinic', 'c'])(
  '[ADM-03] the search %j, which finds every organization, reads its page in order and stops there',
  async (textFilter) => {
    const scans = await scansBy({ PageNumber: 0, PageSize: 10, textFilter })
    const inOrder = scans.filter((scan) => scan['Index Name'] === 'organization_order')
    expect(inOrder).toMatchObject([{ 'Node Type': 'Index Only Scan' }])
    expect(countRows(inOrder)).toBeLessThanOrEqual(10)
  },
)

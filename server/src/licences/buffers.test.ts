import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../lib/database/database.ts'
import { countRows, explain, listScans, type Plan, settle } from '../testing/database/plans.ts'
import { statementsDuring } from '../testing/database/statements.ts'
import { serverForFile } from '../testing/server.ts'

const licences = 50_000
/** What a page may read, from whatever table or index, beside what it passes over. */
const allowedRows = 60

const server = await serverForFile()
const organization = await server.organization()
const [person, member] = [await server.person({ organization, permissions: ['manage:licences'] }), await server.person({ organization })]
const pool = createPool(server.databaseUrl, { max: 1 })
afterAll(() => pool.end())

beforeAll(async () => {
  await pool.query(
    `insert into licence (id, organization_id, licence_number, purchase_order_number, serial_numbers, created_at)
    select gen_random_uuid(), $1, 'LEC-' || lpad(n::text, 6, '0'), case when n % 4 > 0 then 'PO-' || n end, array['S' || n, 'T' || n], timestamptz '2026-01-01' + n * interval '1 minute'
    from generate_series(1, ${licences}) n`,
    [organization.key],
  )
  await settle(pool, 'licence')
})

/** The scans of all the statements that a request sends. */
async function scansBy(query: Record<string, unknown>, by = person): Promise<Plan[]> {
  const ask = () => by.call('listLicences', { params: { organizationId: organization.id }, query })
  await ask()
  const sent = await statementsDuring(async () => {
    const { status, body } = await ask()
    expect([status, body.licenses.length]).toEqual([200, 10])
  })
  const scans: Plan[] = []
  for (const statement of sent) scans.push(...listScans(await explain(pool, statement)))
  return scans
}

const orders = ['Date', 'LicenseNumber', 'PurchaseOrderNumber'].flatMap((ColumnName) =>
  ['Ascending', 'Descending'].map((Direction) => ({ ColumnName, Direction })),
)

test.for(orders)('[API-LIC-01] the first and the last page by %j read what they show', async (order) => {
  for (const PageNumber of [0, licences / 10 - 1])
    expect(countRows(await scansBy({ ...order, PageNumber }))).toBeLessThanOrEqual(allowedRows)
})

test.for(orders)('[API-LIC-01] a page in the middle by %j passes over index entries from the nearer end', async (order) => {
  for (const PageNumber of [1_000, 4_000]) {
    const scans = await scansBy({ ...order, PageNumber })
    const passing = scans.filter((scan) => scan['Actual Rows'] > 100)
    expect(passing).toMatchObject([{ 'Node Type': 'Index Only Scan', 'Heap Fetches': 0 }])
    expect(countRows(passing)).toBeLessThanOrEqual(10_010)
    expect(countRows(scans.filter((scan) => !passing.includes(scan)))).toBeLessThanOrEqual(allowedRows)
  }
})

test('[API-LIC-01] a search is answered from the trigram index', async () => {
  for (const scans of [await scansBy({ textFilter: 'lec-04321' }), await scansBy({ textFilter: 's4321' }, member)]) {
    expect(scans.filter((scan) => scan['Index Name'] === 'licence_search')).toHaveLength(2)
    expect(countRows(scans)).toBeLessThanOrEqual(allowedRows + 80)
  }
})

test('[API-LIC-01] days are counted in an index, and the page reads what it shows', async () => {
  const scans = await scansBy({ startDate: '2026-01-03', endDate: '2026-01-05', ColumnName: 'Date' })
  expect(countRows(scans.filter((scan) => scan['Node Type'] !== 'Index Only Scan'))).toBeLessThanOrEqual(allowedRows)
  expect(scans.some((scan) => scan['Node Type'] === 'Seq Scan' && scan['Relation Name'] === 'licence')).toBe(false)
})

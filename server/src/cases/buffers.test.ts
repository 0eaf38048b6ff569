import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countBuffers, explain, settle } from '../testing/database/plans.ts'
import { notifiedDatabase } from '../testing/database/statements.ts'
import { listCases } from './cases.ts'
import { databaseDesk } from './database.ts'
import type { CaseFilter } from './desk.ts'

const cases = 20_000
/** The most buffers of a page: 40, and 4 per case, as each may be on a page of its own. */
const allowed = (rows: number) => 40 + 4 * rows

const { db, pool, statementsOf } = await notifiedDatabase()

// Cases of 400 people, one of whom has opened few. One in a hundred is open, and the texts are long.
await sql`insert into support_case (contact_email, status, subject, description, action_plan, priority, origin)
  select case when n % 5000 = 7 then 'Rare@people.example' else 'person' || n % 400 || '@people.example' end,
    case when n % 100 = 0 then 'New' else 'Closed' end, 'Reader ' || n || ' is silent', repeat('It says nothing. ', 100), '', 'Medium', 'Web'
  from generate_series(1, ${cases}::int) n`.execute(db)
await settle(pool, 'support_case')

/** Counts the buffers of a list's statements: the page, and the count. */
async function readBy(filter: Partial<CaseFilter>, asked: { PageNumber: number; PageSize: number }) {
  let shown = 0
  const statements = await statementsOf(async () => {
    shown = (await listCases(databaseDesk(db), { text: '', ...filter }, asked)).listCase.length
  })
  const [page = 0, count = 0] = await Promise.all(statements.map(async (statement) => countBuffers(await explain(pool, statement))))
  return { shown, page, count }
}

test.each([
  ['everybody’s cases', {}, 100],
  ['a person’s cases', { contactEmail: 'PERSON7@people.example' }, 10],
  ['a person’s few cases', { contactEmail: 'rare@people.example' }, 10],
  ['what is open', { status: 'New' }, 10],
  ['a text that all have', { text: 'reader' }, 10],
  ['a text that few have', { text: 'rare@' }, 10],
  ['a text that no case has', { text: 'nothing like it' }, 10],
] as const)('of 20,000 cases, the first page of %s reads as much as it shows', async (_, filter, PageSize) => {
  const { shown, page } = await readBy(filter, { PageNumber: 0, PageSize })
  if ('text' in filter && filter.text === 'nothing like it') expect(shown).toBe(0)
  else expect(shown).toBeGreaterThan(0)
  expect(page).toBeLessThanOrEqual(allowed(PageSize))
})

test('the last page of 20,000 cases passes over the others in the index, and so does counting them', async () => {
  const { shown, page, count } = await readBy({}, { PageNumber: cases / 10 - 1, PageSize: 10 })
  expect(shown).toBe(10)
  // The index of all ids has some 60 pages, the table 5,000.
  expect(page).toBeLessThanOrEqual(allowed(10) + 100)
  expect(count).toBeLessThanOrEqual(120)
})

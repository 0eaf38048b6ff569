import { LicenceColumn, type LicencePage } from '@lectern/contract/licences/licences.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const organization = await server.organization()
const person = await server.person({ organization, permissions: ['manage:licences'] })
const params = { organizationId: organization.id }
const list = (query: Record<string, unknown>) => person.call('listLicences', { params, query })

/** Sixty licences on ten days, some at one moment, some without a purchase order; and those of another organization. */
const licences = Array.from({ length: 60 }, (_, number) => ({
  id: `00000000-0000-7000-8000-${String((number * 37) % 100).padStart(12, '0')}`,
  licence_number: `LEC-${number % 2 ? 'abc' : 'ABC'}-${String((number * 13) % 60).padStart(4, '0')}`,
  purchase_order_number: number % 3 === 0 ? null : ['PO-7', 'Änderung 100%', 'po_8', 'PO-7'][number % 4]!,
  serial_numbers: [`27P04${number}`, ...(number % 5 === 0 ? [`S\\N${number}`] : [])],
  created_at: new Date(Date.UTC(2026, 0, 1 + (number % 10), number % 4 === 0 ? 0 : 23, number % 4 === 0 ? 0 : 59, 59)),
}))
await server.app.db
  .insertInto('licence')
  .values(licences.map((licence) => ({ ...licence, organization_id: organization.key })))
  .execute()
const other = await server.organization()
await server.app.db
  .insertInto('licence')
  .values({ ...licences[0]!, id: crypto.randomUUID(), licence_number: 'OTHER', organization_id: other.key })
  .execute()

const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const keys = {
  Date: (licence: (typeof licences)[number]) => licence.created_at.toISOString(),
  LicenseNumber: (licence: (typeof licences)[number]) => licence.licence_number,
  PurchaseOrderNumber: (licence: (typeof licences)[number]) => licence.purchase_order_number,
}

interface Query {
  ColumnName: LicenceColumn
  Direction: 'Ascending' | 'Descending'
  textFilter: string
  startDate?: string
  endDate?: string
}

/** What the list must say, worked out one by one. */
function expected({ ColumnName, Direction, textFilter, startDate, endDate }: Query) {
  const words = textFilter.toLowerCase().split(/\s+/)
  const key = keys[ColumnName]
  const turn = Direction === 'Descending' ? -1 : 1
  return licences
    .filter(({ licence_number, purchase_order_number, serial_numbers, created_at }) => {
      const text = [licence_number, purchase_order_number ?? '', ...serial_numbers].join(' ').toLowerCase()
      const day = created_at.toISOString().slice(0, 10)
      return words.every((word) => text.includes(word)) && (!startDate || day >= startDate) && (!endDate || day <= endDate)
    })
    .sort((a, b) => {
      const [one, two] = [key(a), key(b)]
      if ((one === null) !== (two === null)) return one === null ? 1 : -1
      return turn * (bytes(one ?? '', two ?? '') || bytes(a.id, b.id))
    })
    .map(({ licence_number }) => licence_number)
}

const day = fc.integer({ min: 0, max: 11 }).map((number) => new Date(Date.UTC(2025, 11, 31 + number)).toISOString().slice(0, 10))
const query = fc.record(
  {
    ColumnName: fc.constantFrom(...LicenceColumn.options),
    Direction: fc.constantFrom('Ascending' as const, 'Descending' as const),
    textFilter: fc.constantFrom('', ' ', 'abc', 'LEC po', '27p041', 'änderung', '100%', '_', '\\', 'abc-00 po-7', 'nowhere'),
    days: fc.option(
      fc.tuple(day, day).map((days) => days.toSorted()),
      { nil: undefined },
    ),
    PageSize: fc.constantFrom(1, 7, 10, 25, 100),
  },
  { requiredKeys: ['ColumnName', 'Direction', 'textFilter', 'PageSize'] },
)

test('[API-LIC-01 LIC-01 ENT-21] under any filter and sort the pages are what one finds one by one', async () => {
  await fc.assert(
    fc.asyncProperty(query, async ({ days, PageSize, ...rest }) => {
      const asked = { ...rest, ...(days && { startDate: days[0]!, endDate: days[1]! }) }
      const numbers = expected(asked)
      const found = []
      for (let PageNumber = 0; PageNumber === 0 || PageNumber * PageSize < numbers.length; PageNumber += PageSize === 1 ? 9 : 1) {
        const page = (await list({ ...asked, PageNumber, PageSize })).body
        expect(page).toMatchObject({ totalCount: numbers.length, pageNumber: PageNumber, pageSize: PageSize })
        expect(page.licenses.map(({ licenseNumber }) => licenseNumber)).toEqual(numbers.slice(PageNumber * PageSize).slice(0, PageSize))
        found.push(...page.licenses)
      }
      if (PageSize > 1) expect(found).toHaveLength(numbers.length)
    }),
    { numRuns: 60 },
  )
})

test('[API-LIC-01] without more it is ten of the newest; a page behind the last is empty', async () => {
  const { body } = await list({})
  expect(body).toMatchObject({ pageNumber: 0, pageSize: 10, totalCount: 60 })
  expect(body.licenses.map(({ licenseNumber }) => licenseNumber)).toEqual(
    expected({ ColumnName: 'Date', Direction: 'Descending', textFilter: '' }).slice(0, 10),
  )
  expect((await list({ PageNumber: 6 })).body).toEqual({ licenses: [], pageNumber: 6, pageSize: 10, totalCount: 60 } satisfies LicencePage)
})

test('a day alone is enough at either end', async () => {
  expect((await list({ startDate: '2026-01-10' })).body.totalCount).toBe(6)
  expect((await list({ endDate: '2026-01-01' })).body.totalCount).toBe(6)
})

test.for([
  { ColumnName: 'SerialNumbers' },
  { ColumnName: 'created_at; drop table licence' },
  { Direction: 'Up' },
  { PageSize: 0 },
  { PageSize: 101 },
  { PageNumber: -1 },
  { textFilter: 'a\0' },
  { textFilter: 'x'.repeat(201) },
  { startDate: '2026-02-30' },
  { endDate: 'today' },
  { startDate: '0000-01-01' },
])('refuses %j', async (query) => {
  expect((await list(query)).status).toBe(400)
})

test('a last day before the first is refused in words', async () => {
  const { status, problem } = await list({ startDate: '2026-01-02', endDate: '2026-01-01' })
  const message = 'The last day must not be before the first.'
  expect([status, problem.errors]).toEqual([400, [{ field: 'endDate', message }]])
  expect((await list({ startDate: '2026-01-02', endDate: '2026-01-02' })).status).toBe(200)
})

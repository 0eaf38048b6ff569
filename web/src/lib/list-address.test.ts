import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CalendarDate } from '@lectern/contract/text/text.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditAddress } from '../audit/audit-address.ts'
import { casesAddress } from '../cases/support-page.tsx'
import { devicesAddress } from '../devices/device-list.ts'
import { releasesAddress } from '../firmware/firmware-page.tsx'
import { libraryAddress } from '../library/library-list.tsx'
import { licenceHostsAddress } from '../licences/licence-hosts.tsx'
import { licencesAddress } from '../licences/licences-page.tsx'
import { organizationsAddress } from '../organizations/organizations-page.tsx'
import { invitationsAddress } from '../people/invitations-page.tsx'
import { membersAddress } from '../people/people-page.tsx'
import { rolesAddress } from '../people/roles-page.tsx'
import { readersAddress } from '../readers/readers-page.tsx'
import { rolloutsAddress } from '../rollouts/filters/rollouts-address.ts'
import { rolloutPartsAddress } from '../rollouts/use-rollout-parts.ts'
import { rolloutReadersAddress } from '../rollouts/use-rollout-readers.ts'
import { zonesAddress } from '../zones/zones-page.tsx'
import { joined, type ListAddress, listAddress, oneOf, optional, pageQuery, scope, searchQuery, sortQuery, text } from './list-address.ts'

/** Every list of the portal whose state is in its address, by the file that describes it. */
const lists: Record<string, ListAddress> = {
  'audit/audit-address.ts': auditAddress as unknown as ListAddress,
  'cases/support-page.tsx': casesAddress as unknown as ListAddress,
  'devices/device-list.ts': devicesAddress as unknown as ListAddress,
  'firmware/firmware-page.tsx': releasesAddress as unknown as ListAddress,
  'library/library-list.tsx': libraryAddress as unknown as ListAddress,
  'licences/licence-hosts.tsx': licenceHostsAddress as unknown as ListAddress,
  'licences/licences-page.tsx': licencesAddress as unknown as ListAddress,
  'organizations/organizations-page.tsx': organizationsAddress as unknown as ListAddress,
  'people/invitations-page.tsx': invitationsAddress as unknown as ListAddress,
  'people/people-page.tsx': membersAddress as unknown as ListAddress,
  'people/roles-page.tsx': rolesAddress as unknown as ListAddress,
  'readers/readers-page.tsx': readersAddress as unknown as ListAddress,
  'rollouts/filters/rollouts-address.ts': rolloutsAddress as unknown as ListAddress,
  'rollouts/use-rollout-parts.ts': rolloutPartsAddress as unknown as ListAddress,
  'rollouts/use-rollout-readers.ts': rolloutReadersAddress as unknown as ListAddress,
  'zones/zones-page.tsx': zonesAddress as unknown as ListAddress,
}

const source = join(import.meta.dirname, '..')

test('every list is held to the law of addresses', () => {
  const describing = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) && !file.startsWith(join('lib', '/')) && readFileSync(join(source, file), 'utf8').includes('= listAddress('),
  )
  expect(describing.sort()).toEqual(Object.keys(lists).sort())
})

const names = [
  'search',
  'show',
  'status',
  'type',
  'from',
  'to',
  'zone',
  'model',
  'state',
  'kind',
  'person',
  'reader',
  'period',
  'of',
  'device',
  'compare',
  'a',
  'b',
  'sort',
  'order',
  'page',
  'size',
  'zones-search',
  'zones-state',
  'zones-sort',
  'zones-page',
  'zones-size',
]
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('all', '1', '2', '10', '25', '7', 'x', '-1', '2026-02-30', 'a\0b', 'Descending'),
)
const anyAddress = fc.array(fc.tuple(fc.constantFrom(...names), anything), { maxLength: 8 })

describe.each(Object.entries(lists))('%s', (file, list) => {
  test('reads any address as something that it writes and reads as the same', () => {
    fc.assert(
      fc.property(anyAddress, (pairs) => {
        const state = list.read(new URLSearchParams(pairs))
        expect(list.read(new URLSearchParams(String(list.write(state))))).toEqual(state)
        expect(JSON.stringify(state)).not.toContain('\\u0000')
        expect(state.page).toBeGreaterThanOrEqual(0)
        expect([10, 25, 50, 100]).toContain(state.size)
      }),
    )
  })

  test('writes nothing for what it shows at first, and takes no sense for that', () => {
    expect(String(list.write(list.first))).toBe('')
    expect(list.isFiltered(list.first)).toBe(false)
    expect(list.read(new URLSearchParams('page=x&size=7&sort=nothing&order=up'))).toEqual(list.first)
    expect(list.read(new URLSearchParams('page=-1'))).toEqual(list.first)
    expect(list.read(new URLSearchParams('page=10000001'))).toEqual(list.first)
  })

  test.runIf('search' in list.first)('strips what the server cannot search for', () => {
    // Where a page has two lists, the names of one begin with its own.
    const search = file === 'rollouts/use-rollout-parts.ts' ? 'zones-search' : 'search'
    expect(list.read(new URLSearchParams({ [search]: 'a\0b' }))).toMatchObject({ search: 'ab' })
    // A part of a serial number is shorter than other texts.
    const longest = file === 'rollouts/use-rollout-readers.ts' ? 64 : 200
    expect(list.read(new URLSearchParams({ [search]: 'x'.repeat(300) }))).toMatchObject({ search: 'x'.repeat(longest) })
  })
})

const example = listAddress({
  filters: { search: text(), status: oneOf(['open', 'closed', 'all'], 'all'), from: optional(CalendarDate) },
  sort: { columns: ['Date', 'Name'], first: { id: 'Date', descending: true } },
})

test('an address says the whole state, page numbers from 1', () => {
  const state = { ...example.first, search: 'icu 3', status: 'open' as const, from: '2026-01-31', page: 2, size: 25 }
  const address = example.write({ ...state, sort: { id: 'Name', descending: false } })
  expect(String(address)).toBe('search=icu+3&status=open&from=2026-01-31&sort=Name&order=Ascending&page=3&size=25')
  expect(example.read(address)).toEqual({ ...state, sort: { id: 'Name', descending: false } })
})

test('a state that is normalized is consistent when it is read', () => {
  const list = listAddress({
    filters: { search: text(), show: oneOf(['all', 'offline']) },
    normalize: (state) => (state.show === 'all' ? state : { ...state, search: '' }),
  })
  expect(list.read(new URLSearchParams('show=offline&search=x'))).toMatchObject({ show: 'offline', search: '' })
})

test('what chooses among lists is no filter, and stays when the filters are taken away', () => {
  const list = listAddress({ filters: { search: text(), of: scope(oneOf(['everybody', 'me'])) } })
  const mine = { ...list.first, of: 'me' as const }
  expect([list.isFiltered(mine), list.isFiltered({ ...mine, search: 'x' })]).toEqual([false, true])
  expect(list.clear({ ...mine, search: 'x', size: 25 })).toEqual({ ...mine, size: 25 })
})

test('two lists of one page share its address, each under its own names', () => {
  const one = listAddress({ filters: { search: text() } })
  const other = listAddress({ filters: { search: text() }, prefix: 'zones-' })
  const address = joined(one.write({ ...one.first, search: 'a' }), other.write({ ...other.first, search: 'b', page: 2 }))
  expect(String(address)).toBe('search=a&zones-search=b&zones-page=3')
  expect([one.read(address).search, other.read(address)]).toEqual(['a', { ...other.first, search: 'b', page: 2 }])
  expect([String(one.own(address)), String(other.own(address))]).toEqual(['search=a', 'zones-search=b&zones-page=3'])
})

test('a page is asked for by the names of the specification', () => {
  expect({ ...pageQuery({ page: 2, size: 25 }), ...sortQuery({ id: 'Date', descending: true }), ...searchQuery(' po-7 ') }).toEqual({
    PageNumber: 2,
    PageSize: 25,
    ColumnName: 'Date',
    Direction: 'Descending',
    textFilter: 'po-7',
  })
  expect(searchQuery('  ')).toEqual({})
})

import { byteLength } from '@lectern/contract/text/text.ts'
import { zoneName, zoneNameLimit } from '@lectern/contract/zones.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNameProblem } from './new-zone-name.ts'

const organization = '0198c0de-0001-7000-8000-000000000001'
const zone = (name: string) => ({ id: 'z', name, organizationId: organization })

test.each(['', '   ', '\t\n'])('[ZON-03] refuses a blank name (%j)', (text) => {
  expect(findNameProblem(text, organization, [])).toBe('Enter a name for the zone.')
})

test.each(['ED Triage', ' ed triage '])('[ZON-04] refuses a duplicate name (%j)', (text) => {
  expect(findNameProblem(text, organization, [zone('ICU'), zone('ED Triage')])).toBe('There is already a zone named "ED Triage".')
  expect(findNameProblem('ED', organization, [zone('ICU'), zone('ED Triage')])).toBeNull()
})

test('[ZON-04] names that are the same once they are shortened are duplicates', () => {
  const kept = zoneName('n'.repeat(2000), organization)
  expect(byteLength(kept)).toBe(zoneNameLimit(organization))
  expect(findNameProblem(`${kept} and more`, organization, [zone(kept)])).toContain('There is already a zone named')
})

test.each([
  ['.', '"." cannot be used as a name.'],
  [' .. ', '".." cannot be used as a name.'],
  ['a\0b', 'The name has a character that cannot be stored (NUL).'],
  ['a\ud83d', 'The name has half of a character (a lone surrogate).'],
])('refuses %j, which cannot travel', (text, sentence) => {
  expect(findNameProblem(text, organization, [])).toBe(sentence)
})

test('what it lets through can be written into an address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1500 }), (text) => {
      fc.pre(findNameProblem(text, organization, []) === null)
      const kept = zoneName(text, organization)
      expect(decodeURIComponent(encodeURIComponent(kept))).toBe(kept)
      expect(kept).not.toBe('')
    }),
  )
})

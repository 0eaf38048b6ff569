import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignSlots } from './slots.ts'

const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijkl'), { maxLength: 8 })

test('rows that stay keep their elements, and those that come take the ones that are left', () =>
  fc.assert(
    fc.property(fc.array(ids, { minLength: 1 }), (pages) => {
      let slots: ReadonlyMap<string, number> = new Map()
      let longest = 0
      for (const page of pages) {
        const before = slots
        slots = assignSlots(before, page)
        expect([...slots.keys()]).toEqual(page)
        expect(new Set(slots.values()).size).toBe(page.length)
        for (const id of page) if (before.has(id)) expect(slots.get(id)).toBe(before.get(id))
        longest = Math.max(longest, page.length)
        for (const slot of slots.values()) expect(slot).toBeLessThan(longest)
      }
    }),
  ))

test('a page of other rows takes all elements of the one before, in their order', () => {
  expect([...assignSlots(new Map([...'abc'].map((id, slot) => [id, slot])), [...'xyz']).values()]).toEqual([0, 1, 2])
  expect([...assignSlots(new Map([...'abc'].map((id, slot) => [id, slot])), [...'cxa']).values()]).toEqual([2, 1, 0])
})

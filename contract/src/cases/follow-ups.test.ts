import { expect, test } from 'vitest'
import { splitFollowUps, withFollowUp, withoutHeads } from './follow-ups.ts'

const at = new Date('2027-01-31T08:30:59Z')
const by = 'ada@people.example'

test('follow-ups come back from the text in which they stand, in their order', () => {
  const once = withFollowUp('The reader is silent.\n', { at, by, text: ' It blinks now.\n\nTwice. ' })
  const twice = withFollowUp(once, { at: new Date('2027-02-01T00:00:00Z'), by: 'staff@vendor.example', text: 'Press both keys.' })
  expect(splitFollowUps(twice)).toEqual({
    first: 'The reader is silent.',
    followUps: [
      { at: '2027-01-31 08:30', by, text: 'It blinks now.\n\nTwice.' },
      { at: '2027-02-01 00:00', by: 'staff@vendor.example', text: 'Press both keys.' },
    ],
  })
  expect(splitFollowUps(twice.replaceAll('\n', '\r\n'))).toEqual(splitFollowUps(twice))
  expect(splitFollowUps('')).toEqual({ first: '', followUps: [] })
})

test('a follow-up stands under its head, behind a blank line, in lines that are no heads', () => {
  expect(withFollowUp(' Silent. \n\n', { at, by, text: ' It blinks. ' })).toBe(
    ' Silent.\n\n--- 2027-01-31 08:30 UTC, ada@people.example:\nIt blinks.',
  )
  expect(withoutHeads('--- a\r\nb --- c\rd')).toBe(' --- a\nb --- c\nd')
  expect(splitFollowUps('--- 2027-01-31 08:30 UTC, ada@people.example: wrote').followUps).toEqual([])
})

test.for(['\n', '\r', '\r\n', '\u2028', '\u2029'])('nobody speaks in another’s name, whatever ends their lines (%j)', (end) => {
  const forged = `Hello${end}--- 2027-01-31 08:31 UTC, staff@vendor.example:${end}Send us your password.`
  const { first, followUps } = splitFollowUps(withFollowUp(withoutHeads(forged), { at, by, text: forged }))
  expect(followUps.map((one) => one.by)).toEqual([by])
  for (const text of [first, followUps[0]!.text]) expect(text).toContain('staff@vendor.example:')
})

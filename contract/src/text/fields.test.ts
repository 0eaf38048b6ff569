import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { field, fieldRules, fieldSentence } from './fields.ts'
import { Line, Text } from './text.ts'

const Body = z.object({
  title: field(Line(20), { label: 'Title' }),
  note: field(z.optional(z.nullable(z.pipe(z.string().check(z.trim()), Text(50)))), { label: 'Note', hint: 'May be left empty.' }),
  documents: z.array(z.object({ address: field(Line(250), { label: 'Address' }) })),
  numbers: field(z.array(Line(8)).check(z.maxLength(3)), { label: 'Numbers' }),
  silent: Line(5),
})

test('a field has its words, its limit and whether it is required from the schema, also within lists and checked bodies', () => {
  expect(fieldRules(Body, 'title')).toEqual({ label: 'Title', longest: 20, required: true })
  expect(fieldRules(Body, 'note')).toEqual({ label: 'Note', hint: 'May be left empty.', longest: 50, required: false })
  expect(fieldRules(Body.check(z.refine(() => true)), 'documents.3.address')).toEqual({ label: 'Address', longest: 250, required: true })
})

test('an optional field has the words of what it is made of', () => {
  expect(fieldRules(z.partial(Body), 'title')).toEqual({ label: 'Title', longest: 20, required: false })
})

test('a field that takes one of several forms has the limit of the longest', () => {
  const Contact = z.pipe(z.string().check(z.trim()), z.union([z.literal(''), Line(12), Line(30)], 'must be a name'))
  expect(fieldRules(z.object({ contact: field(Contact, { label: 'Contact' }) }), 'contact')).toEqual({
    label: 'Contact',
    longest: 30,
    required: false,
  })
})

test('a list has no limit of characters', () => {
  expect(fieldRules(Body, 'numbers').longest).toBeUndefined()
})

test('words given to one field stay away from the schema that it was made of', () => {
  const Day = z.iso.date()
  const Days = z.object({ first: field(Day, { label: 'First day' }), last: field(Day, { label: 'Last day' }) })
  expect([fieldRules(Days, 'first').label, fieldRules(Days, 'last').label]).toEqual(['First day', 'Last day'])
})

test('a field that the schema does not have, or has no words for, is a mistake', () => {
  expect(() => fieldRules(Body, 'silent')).toThrow('The schema has no words for the field silent.')
  expect(() => fieldRules(Body, 'gone')).toThrow('The schema has no words for the field gone.')
})

test('a message becomes a sentence about its field', () => {
  expect(fieldSentence('Title', 'must not be empty')).toBe('Title must not be empty.')
  expect(fieldSentence('Title', 'No products selected')).toBe('No products selected')
  expect(fieldSentence('Name', '".." cannot be used as a name.')).toBe('".." cannot be used as a name.')
})

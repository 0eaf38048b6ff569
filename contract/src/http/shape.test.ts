import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '../endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { fitToShape, type Shape, toShape } from './shape.ts'

const every = Object.entries<Endpoint>(endpoints)

test('every reply and every etag has a shape, which is data', () => {
  const shapes = every.flatMap(([, { response, etag }]) => [response, etag]).flatMap((schema) => (schema ? [toShape(schema)] : []))
  expect(shapes.length).toBeGreaterThan(100)
  expect(JSON.parse(JSON.stringify(shapes))).toEqual(shapes)
})

/** Values that fit the shape, with parts beside those that it names. */
function fitting(shape: Shape): fc.Arbitrary<unknown> {
  if (shape === 'string') return fc.string()
  if (shape === 'number') return fc.integer()
  if (shape === 'boolean') return fc.boolean()
  if ('values' in shape) return fc.constantFrom(...shape.values)
  if ('optional' in shape) return fc.option(fitting(shape.optional), { nil: undefined })
  if ('nullable' in shape) return fc.option(fitting(shape.nullable), { nil: null })
  if ('array' in shape) return fc.array(fitting(shape.array), { maxLength: 2 })
  if ('tuple' in shape) return fc.tuple(...shape.tuple.map(fitting))
  if ('anyOf' in shape) return fc.oneof(...shape.anyOf.map(fitting))
  const named = Object.fromEntries(Object.entries(shape.object).map(([name, part]) => [name, fitting(part)]))
  return fc.tuple(fc.record(named), fc.boolean()).map(([value, more]) => (more ? { ...value, 'not in the contract': 1 } : value))
}

test('what is read has exactly the named parts', () => {
  const shape: Shape = { object: { id: 'string', at: { optional: 'number' }, by: { nullable: { array: { values: ['a', 1] } } } } }
  expect(fitToShape(shape, { more: 1, by: ['a', 1], id: 'x' })).toEqual({ id: 'x', by: ['a', 1] })
  expect(JSON.stringify(fitToShape(shape, { by: null, at: 2, id: 'x' }))).toBe('{"id":"x","at":2,"by":null}')
})

test('whatever fits a reply of the contract is read, and read again it is the same', () => {
  const shapes = every.flatMap(([name, { response }]) => (response ? [[name, toShape(response)] as const] : []))
  fc.assert(
    fc.property(
      fc.constantFrom(...shapes).chain(([name, shape]) => fc.tuple(fc.constant(name), fc.constant(shape), fitting(shape))),
      ([, shape, value]) => {
        const read = fitToShape(shape, value)
        expect(JSON.stringify(read)).not.toContain('not in the contract')
        expect(fitToShape(shape, read)).toEqual(read)
      },
    ),
  )
})

const Reply = z.object({ name: z.string(), kind: z.enum(['a', 'b']), size: z.optional(z.int()), parts: z.array(z.nullable(z.boolean())) })
const good = { name: 'x', kind: 'a', size: 1, parts: [true, null] }

describe('refused is', () => {
  test.each<[string, unknown, string]>([
    ['no object', 'x', 'The reply'],
    ['a list in the place of an object', [], 'The reply'],
    ['null', null, 'The reply'],
    ['a missing part', { ...good, name: undefined }, 'The reply.name'],
    ['a number in the place of a text', { ...good, name: 1 }, 'The reply.name'],
    ['an unknown kind', { ...good, kind: 'c' }, 'The reply.kind'],
    ['null in the place of nothing', { ...good, size: null }, 'The reply.size'],
    ['an object in the place of a list', { ...good, parts: {} }, 'The reply.parts'],
    ['an item of another type', { ...good, parts: [true, 'x'] }, 'The reply.parts[1]'],
  ])('%s', (_, value, place) => {
    expect(() => fitToShape(toShape(Reply), value)).toThrow(`${place} is not what the contract says.`)
  })

  test('what fits no choice, and a tuple of another length', () => {
    const shape = toShape(z.union([z.tuple([z.string(), z.string()]), z.literal(3)]))
    expect([fitToShape(shape, ['a', 'b']), fitToShape(shape, 3)]).toEqual([['a', 'b'], 3])
    for (const value of [['a'], ['a', 'b', 'c'], 4]) expect(() => fitToShape(shape, value)).toThrow('not what the contract says')
  })

  test('a schema that changes what it reads has no shape', () => {
    const changing = z.pipe(
      z.string(),
      z.transform((text) => text.length),
    )
    expect(() => toShape(changing)).toThrow('There is no shape for transform yet.')
  })
})

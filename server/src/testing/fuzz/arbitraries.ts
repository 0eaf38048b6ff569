import fc from 'fast-check'

/** A schema as in the API document. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  contentMediaType?: string
}

/** Stands for a value that an earlier response had under this name, or as an id; for another one where there is none yet. */
export class Known {
  readonly name: string
  readonly pick: number
  readonly otherwise: unknown
  constructor(name: string, pick: number, otherwise: unknown) {
    this.name = name
    this.pick = pick
    this.otherwise = otherwise
  }
}

type Values = fc.Arbitrary<unknown>

/** Makes values of a schema, at its bounds as often as within. With `hostile`, one value in five is not of the schema. */
export function toArbitrary(schema: Schema, name: string, hostile = false): Values {
  const values = toValid(schema, name, hostile)
  return hostile ? fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: strange(schema) }) : values
}

export const known = (name: string, otherwise: Values): Values =>
  fc.tuple(fc.noBias(fc.nat()), otherwise).map(([pick, other]) => new Known(name, pick, other))

function toValid(schema: Schema, name: string, hostile: boolean): Values {
  const { type, anyOf, items = {}, properties = {}, required = [] } = schema
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (anyOf) return fc.oneof(...anyOf.map((one) => toArbitrary(one, name, hostile)))
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => toArbitrary({ ...schema, type: one }, name, hostile)))
  if (type === 'string') return toText(schema, name)
  if (type === 'integer' || type === 'number') return toNumber(schema, name)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') {
    const { minItems: minLength = 0, maxItems = 5 } = schema
    return fc.array(toArbitrary(items, name, hostile), { minLength, maxLength: Math.max(minLength, Math.min(maxItems, 5)) })
  }
  if (type === 'object') {
    const parts = Object.entries(properties).map(([part, one]) => [part, toArbitrary(one, part, hostile)])
    return fc.record(Object.fromEntries(parts) as Record<string, Values>, { requiredKeys: hostile ? [] : required })
  }
  return fc.jsonValue({ maxDepth: 2 })
}

function toText({ format, pattern, minLength = 0, maxLength = 300 }: Schema, name: string): Values {
  if (format === 'uuid') return fc.oneof({ weight: 6, arbitrary: known('uuid', fc.uuid()) }, { weight: 1, arbitrary: fc.uuid() })
  if (format === 'email') return fc.oneof(known(name, fc.emailAddress()), fc.emailAddress())
  const instant = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  if (format === 'date-time')
    return fc.oneof(
      known(
        name,
        instant.map((date) => date.toISOString()),
      ),
      instant.map((date) => date.toISOString()),
    )
  if (format === 'date') return instant.map((date) => date.toISOString().slice(0, 10))
  if (pattern !== undefined) return fc.oneof(known(name, fc.stringMatching(new RegExp(pattern))), fc.stringMatching(new RegExp(pattern)))
  const within = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
  const bounds = fc.constantFrom('x'.repeat(minLength), 'x'.repeat(maxLength), 'ü'.repeat(maxLength))
  return fc.oneof({ weight: 9, arbitrary: known(name, within) }, { weight: 3, arbitrary: within }, { weight: 1, arbitrary: bounds })
}

function toNumber({ type, minimum: min = -1e9, maximum: max = 1e9 }: Schema, name: string): Values {
  const within =
    type === 'integer'
      ? fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) })
      : fc.double({ min, max, noNaN: true })
  return fc.oneof(within, fc.constantFrom(min, max), known(name, within), fc.integer({ min: Math.max(min, 0), max: Math.max(min, 0) + 5 }))
}

const texts = [
  '',
  ' ',
  '\0',
  '\u0001',
  '\ud800',
  '%00',
  '%',
  "'; select 1 --",
  '../..',
  '{{7*7}}',
  '\u202e',
  '🏳️‍🌈',
  'null',
  'NaN',
  '-1',
  '1e999',
  '9'.repeat(30),
]
const others: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  {},
  [[]],
  [null],
  { __proto__: 1 },
  { constructor: 1 },
]

const strange = ({ maxLength, minimum, maximum }: Schema): Values =>
  fc.oneof(
    fc.constantFrom<unknown>(...texts),
    fc.constantFrom<unknown>(...others),
    fc.constantFrom<unknown>(
      ...[minimum, maximum].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound + 1])),
      'x'.repeat((maxLength ?? 300) + 1),
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.jsonValue({ maxDepth: 3 }),
  )

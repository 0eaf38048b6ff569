import type * as z from 'zod/mini'
import { defaultBodyBytes, type Endpoint } from './endpoint.ts'

/** The fewest bytes of a value in a list without a bound: a text of six letters with its quotes and comma. */
const shortestBytes = 9

/** A newer client may send a little more than the schema names. */
const slack = 1.25

/**
 * At most how many values and keys the JSON of a call's largest valid body has (FAI-03). Computed from its schema. Where that has lists
 * without a bound or parts that are checked later, it is computed from the bytes, unless the endpoint gives it.
 */
export function findMostValues({ body, maxBodyBytes = defaultBodyBytes, maxValues }: Endpoint): number {
  const most = maxValues ?? (body ? countMost(body) : 1)
  return Math.min(Math.ceil(most * slack) + 50, Math.floor(maxBodyBytes / shortestBytes))
}

/** For one body; Infinity where the schema sets no bound. */
export function countMost(schema: z.core.$ZodType): number {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.values(def.shape).reduce((sum, value) => sum + 1 + countMost(value), 1)
    case 'array':
      return 1 + findMostItems(schema) * countMost(def.element)
    case 'tuple':
      return def.items.reduce((sum, item) => sum + countMost(item), 1)
    case 'union':
      return Math.max(...def.options.map(countMost))
    case 'optional':
    case 'nullable':
    case 'default':
      return countMost(def.innerType)
    case 'pipe':
      return countMost(def.in)
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
      return 1
    default:
      return Number.POSITIVE_INFINITY
  }
}

const findMostItems = ({ _zod: { def } }: z.core.$ZodType): number =>
  (def.checks ?? []).reduce((most, check) => {
    const { maximum, length } = check._zod.def as { maximum?: number; length?: number }
    return Math.min(most, maximum ?? length ?? Number.POSITIVE_INFINITY)
  }, Number.POSITIVE_INFINITY)

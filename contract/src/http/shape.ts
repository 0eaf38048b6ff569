import type * as z from 'zod/mini'

/** What a browser checks a response with: a schema's types without its limits. It is data, made when the web app is built. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | { values: readonly unknown[] }
  | { optional: Shape }
  | { nullable: Shape }
  | { array: Shape }
  | { tuple: readonly Shape[] }
  | { anyOf: readonly Shape[] }
  | { object: Readonly<Record<string, Shape>> }

/** Throws an Error for a schema that transforms what it reads, or of a kind that no response has yet. */
export function toShape(schema: z.core.$ZodType): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return def.type
    case 'literal':
      return { values: def.values }
    case 'enum':
      return { values: Object.values(def.entries) }
    case 'optional':
    case 'nullable':
      return { [def.type]: toShape(def.innerType) } as Shape
    // A response has the value; without one, the default is not added.
    case 'default':
      return { optional: toShape(def.innerType) }
    // A response has what the pipe returns.
    case 'pipe':
      return toShape(def.out)
    case 'array':
      return { array: toShape(def.element) }
    case 'tuple':
      return { tuple: def.items.map(toShape) }
    case 'union':
      return { anyOf: def.options.map(toShape) }
    case 'object':
      return { object: Object.fromEntries(Object.entries(def.shape).map(([name, part]) => [name, toShape(part)])) }
    default:
      throw new Error(`There is no shape for ${def.type} yet.`)
  }
}

/** Returns a copy with the parts that the shape names, in its order. Throws an Error that names the place where the value differs. */
export function readShaped(shape: Shape, value: unknown, place = 'The reply'): unknown {
  const refuse = () => new Error(`${place} is not what the contract says.`)
  if (typeof shape === 'string') {
    if (typeof value !== shape) throw refuse()
    return value
  }
  if ('values' in shape) {
    if (!shape.values.includes(value)) throw refuse()
    return value
  }
  if ('optional' in shape) return value === undefined ? undefined : readShaped(shape.optional, value, place)
  if ('nullable' in shape) return value === null ? null : readShaped(shape.nullable, value, place)
  if ('anyOf' in shape) return readFirstFitting(shape.anyOf, value, refuse)
  if ('array' in shape || 'tuple' in shape) {
    if (!Array.isArray(value) || ('tuple' in shape && value.length !== shape.tuple.length)) throw refuse()
    return value.map((item, index) => readShaped('tuple' in shape ? shape.tuple[index]! : shape.array, item, `${place}[${index}]`))
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse()
  const read: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(shape.object)) {
    const item = readShaped(part, (value as Record<string, unknown>)[name], `${place}.${name}`)
    if (item !== undefined) read[name] = item
  }
  return read
}

function readFirstFitting(shapes: readonly Shape[], value: unknown, refuse: () => Error): unknown {
  for (const shape of shapes) {
    try {
      return readShaped(shape, value)
    } catch {
      // Another shape of the union may fit.
    }
  }
  throw refuse()
}

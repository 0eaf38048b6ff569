import fc from 'fast-check'
import type { ApiDocument } from '../../api/document.ts'
import { Known, known, type Schema, toArbitrary } from './arbitraries.ts'

type Responses = Record<string, { content?: Record<string, { schema: Schema }> }>

export interface Operation {
  name: string
  method: string
  path: string
  security: Record<string, unknown>[]
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  /** The schema and the media type of the body. */
  body: { media: string; schema: Schema } | undefined
  responses: Responses
}

export function listOperations({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters, requestBody, responses }]) => {
      const [[media, { schema }] = ['', { schema: {} }]] = Object.entries(
        (requestBody?.content ?? {}) as Record<string, { schema: Schema }>,
      )
      return {
        name: operationId,
        method: method.toUpperCase(),
        path,
        security,
        responses: responses as unknown as Responses,
        parameters: parameters as Operation['parameters'],
        body: media === '' ? undefined : { media, schema },
      }
    }),
  )
}

/** A request before the values of earlier responses are put into it. */
export interface Draft {
  operation: Operation
  /** From 0 to 9,999: the caller. */
  who: number
  path: Record<string, unknown>
  query: Record<string, unknown>
  headers: Record<string, unknown>
  body: unknown
  /** A text in place of the body. */
  broken: string | null
}

const perSample = 40

/** Makes drafts without end: valid and hostile ones in turns, operations in a random order. Equal seeds give equal drafts. */
export function* draft(operations: readonly Operation[], seed: number): Generator<Draft, never> {
  const arbitraries = operations.flatMap((operation) => [toDraft(operation, false), toDraft(operation, true)])
  const waiting = arbitraries.map((): Draft[] => [])
  for (let round = 0; ; round += 1) {
    const order = fc.sample(fc.array(fc.noBias(fc.nat(arbitraries.length - 1)), { minLength: 500, maxLength: 500 }), {
      seed: seed + round,
      numRuns: 1,
    })[0]!
    for (const index of order) {
      if (waiting[index]!.length === 0)
        waiting[index] = fc.sample(arbitraries[index]!, { seed: seed + round * arbitraries.length + index, numRuns: perSample })
      yield waiting[index]!.pop()!
    }
  }
}

function toDraft(operation: Operation, hostile: boolean): fc.Arbitrary<Draft> {
  const of = (place: string) => {
    const inPlace = operation.parameters.filter((parameter) => parameter.in === place)
    const parts = inPlace.map(({ name, schema }) => {
      const values = toArbitrary(schema, name, hostile)
      const learned = known(toPlace(operation.path, name), values)
      return [name, place === 'path' ? fc.oneof({ weight: 6, arbitrary: learned }, { weight: 2, arbitrary: values }) : values]
    })
    const requiredKeys = inPlace.filter(({ required }) => required && !(hostile && place === 'query')).map(({ name }) => name)
    return fc.record(Object.fromEntries(parts) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys })
  }
  const broken = fc.constantFrom('', '{', '[', '"', 'null', '1', '{"a":1,}', '[['.repeat(2_000), '\u0000')
  return fc.record({
    operation: fc.constant(operation),
    who: fc.noBias(fc.integer({ min: 0, max: 9_999 })),
    path: of('path'),
    query: of('query'),
    headers: of('header'),
    body: operation.body ? toArbitrary(operation.body.schema, 'body', hostile) : fc.constant(undefined),
    broken:
      hostile && operation.body
        ? fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: broken })
        : fc.constant(null),
  })
}

/** The address up to a name in it: other operations on that address find the same. */
export const toPlace = (path: string, name: string): string => path.slice(0, path.indexOf(`{${name}}`) + name.length + 2)

/** Remembers the values of earlier responses, by name; `uuid` has all ids. */
export class Memory {
  readonly #values = new Map<string, unknown[]>()

  add(name: string, value: unknown): void {
    if (typeof value === 'object' && value !== null) {
      for (const [part, one] of Object.entries(value).slice(0, 50)) this.add(Array.isArray(value) ? name : part, one)
      return
    }
    const isId = typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)
    for (const place of isId ? [name, 'uuid'] : [name]) {
      const values = this.#values.get(place) ?? []
      if (values.length < 100) values.push(value)
      else values[Math.floor(this.#next++ % 100)] = value
      this.#values.set(place, values)
    }
  }
  #next = 0

  /** Returns a copy with known values put in. */
  fill(value: unknown): unknown {
    if (value instanceof Known) {
      const { name, otherwise } = value
      const values = (this.#values.get(name) ?? []).filter((one) => otherwise instanceof Known || typeof one === typeof otherwise)
      return values.length === 0 ? this.fill(otherwise) : values[value.pick % values.length]
    }
    if (Array.isArray(value)) return value.map((one) => this.fill(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.fill(one)]))
  }
}

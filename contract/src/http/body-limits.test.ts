import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { DeviceRecord } from '../device-log.ts'
import { endpoints } from '../endpoints.ts'
import { ReportedDevice } from '../hosts.ts'
import { defaultBodyBytes, type Endpoint } from './endpoint.ts'

/** Items that are checked one by one, after the body. */
const itemsOf: Record<string, z.ZodMiniType> = { checkIn: ReportedDevice, logDevices: DeviceRecord }

/** Bytes of lists whose length another rule limits as a whole: 2,000 commands of 60,000 characters, parts of 2,000,000. */
const lists: Record<string, number> = { commands: 66_002, saveConfiguration: 66_002, parts: 6_010_000, instead: 6_010_000 }

/** Characters of texts whose length another rule than `maxLength` limits. */
const lengths: Record<string, number> = {
  cfg: 1_000_000,
  text: 1_000_000,
  countryCode: 2,
  workEmail: 320,
  updateTime: 5,
  stopTime: 5,
  from: 10,
  to: 10,
  date: 10,
  timeZone: 64,
  credentialHash: 64,
  replaces: 64,
  contentHash: 64,
  digest: 64,
  sha256: 64,
  since: 64,
  licenseNumber: 64,
  at: 40,
  sentAt: 40,
  typedAt: 40,
  code: 6,
  lastActivityDate: 40,
  adsStartDate: 10,
  adsEndDate: 10,
  warrantyUntil: 10,
}

interface Inner {
  _zod: {
    def: {
      type: string
      shape?: Record<string, Inner>
      element?: Inner
      innerType?: Inner
      out?: Inner
      options?: Inner[]
      values?: unknown[]
      entries?: Record<string, unknown>
      format?: string
      checks?: { _zod: { def: { check: string; maximum?: number } } }[]
    }
  }
}

const quoted = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Bytes of the largest value that a schema takes, as JSON.stringify writes it. */
function largest(schema: Inner, name: string, items: Inner | undefined): number {
  const { def } = schema._zod
  if (lists[name] !== undefined) return lists[name]
  const inner = def.innerType ?? def.out
  if (inner) return Math.max(4, largest(inner, name, items))
  if (def.type === 'object')
    return Object.entries(def.shape!).reduce((sum, [key, one]) => sum + quoted(key) + 2 + largest(one, key, items), 2)
  if (def.type === 'array') return 2 + limitOf(schema, name) * (1 + largest(def.element!, name, items))
  if (def.type === 'unknown' && items) return largest(items, name, undefined)
  if (def.type === 'union') return Math.max(...def.options!.map((one) => largest(one, name, items)))
  if (def.type === 'enum') return Math.max(...Object.values(def.entries!).map(quoted))
  if (def.type === 'literal') return Math.max(...def.values!.map(quoted))
  if (def.type === 'string') return 2 + largestText(schema, name)
  if (['number', 'int', 'boolean', 'null'].includes(def.type)) return 24
  throw new Error(`${name} has a type without a size: ${def.type}.`)
}

/** A control character takes six bytes, where a text may have it; any other at most three. */
function largestText(schema: Inner, name: string): number {
  if (schema._zod.def.format === 'guid') return 36
  const length = lengths[name] ?? limitOf(schema, name)
  const takesControls = (schema as unknown as z.ZodMiniType).safeParse('\u0001'.repeat(length)).success
  return length * (takesControls ? 6 : 3)
}

function limitOf({ _zod: { def } }: Inner, name: string): number {
  const limit = def.checks?.find((each) => each._zod.def.check === 'max_length')?._zod.def.maximum
  if (limit === undefined) throw new Error(`${name} has no limit.`)
  return limit
}

const withBody = (Object.entries(endpoints) as [string, Endpoint][]).filter(([, { body }]) => body)

test.each(withBody)('[LMT-01] the limit of %s is that of its largest valid body', (name, { body, maxBodyBytes = defaultBodyBytes }) => {
  const bytes = largest(body as unknown as Inner, name, itemsOf[name] as unknown as Inner)
  expect(bytes).toBeLessThanOrEqual(maxBodyBytes)
  if (maxBodyBytes > defaultBodyBytes) expect(maxBodyBytes).toBeLessThanOrEqual(2 * bytes)
})

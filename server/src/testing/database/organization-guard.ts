import pg from 'pg'
import { crossing } from './crossing-statements.ts'
import { normalizeStatement } from './tokens.ts'
import { findUnnamed } from './unnamed-references.ts'

export const tenantTables: ReadonlySet<string> = new Set([
  'audit_count',
  'audit_entry',
  'audit_fold',
  'config',
  'decode_use',
  'desk_record',
  'desired',
  'device',
  'device_count',
  'device_day',
  'device_event',
  'device_tally',
  'device_total',
  'event',
  'firmware_count',
  'firmware_total',
  'previous_content',
  'group',
  'group_product',
  'handed_out',
  'host',
  'host_spending',
  'idempotency_key',
  'invitation',
  'licence',
  'licence_tally',
  'member',
  'outcome',
  'passkey_recovery',
  'present_change',
  'progress',
  'publication',
  'publication_reader',
  'reader',
  'reapplication',
  'reported_configuration',
  'reported_device',
  'reported_firmware',
  'role',
  'role_tag',
  'role_zone',
  'rollout',
  'rollout_content',
  'rollout_count',
  'rollout_phase',
  'safety_halt',
  'saved_configuration',
  'saved_version',
  'schedule',
  'storage_count',
  'tag',
  'upload',
  'zone',
  'zone_tag',
])

/** Tables that are read to find the organization, by keys that are unique among all organizations. */
export const findingTables: readonly string[] = ['host_credential', 'licence_owner']

const crossings = crossing.map(({ statement, crosses }) => ({ statement: normalizeStatement(statement), crosses: crosses.join() }))
const checked = new Map<string, readonly string[]>()
const found = new Set<string>()

/** Returns the product's statements since the last call that do not name the organization of each tenant's table, with the aliases. */
export function listUnguarded(): string[] {
  const statements = [...found]
  found.clear()
  return statements
}

// Statements of `pool.query` reach the client later, without the stack of their sender.
for (const prototype of [pg.Client.prototype, pg.Pool.prototype]) {
  const { query } = prototype
  prototype.query = function (this: pg.Client & pg.Pool, ...parts: unknown[]) {
    const [statement] = parts as [string | { text: string }]
    checkStatement(typeof statement === 'string' ? statement : statement.text)
    return (query as (...args: unknown[]) => unknown).apply(this, parts)
  } as typeof query
}

function checkStatement(text: string): void {
  const unnamed = checked.get(text) ?? listUnnamed(text)
  checked.set(text, unnamed)
  if (unnamed.length > 0 && isOfProduct()) found.add(`${unnamed.join(', ')}: ${text}`)
}

function listUnnamed(text: string): string[] {
  const unnamed = findUnnamed(text, tenantTables)
  return unnamed.length > 0 && isCrossing(text, unnamed.join()) ? [] : unnamed
}

function isCrossing(text: string, unnamed: string): boolean {
  const sent = normalizeStatement(text)
  return crossings.some(
    ({ statement, crosses }) =>
      crosses === unnamed && (statement.endsWith('…') ? sent.startsWith(statement.slice(0, -1)) : sent === statement),
  )
}

// Tests send statements of their own, and migrations are of all organizations.
function isOfProduct(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  const sender = stack
    .split('\n')
    .find((line) => line.includes('/server/src/') && !/organization-guard\.ts|prepared\.ts|\/database\/organization\.ts/.test(line))
  if (sender === undefined) return !stack.includes('/pg-pool/')
  return !/\/testing\/|\.test\.ts|\/database\/migrate\.ts/.test(sender)
}

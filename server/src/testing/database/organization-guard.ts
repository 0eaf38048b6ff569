import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'

const tenantTables = [
  ...[
    'audit_count',
    'audit_entry',
    'config',
    'decode_use',
    'desired_configuration',
    'desired_firmware',
    'device',
    'device_count',
    'device_day',
  ],
  ...['device_tally', 'device_total', 'firmware_count', 'host', 'licence', 'licence_tally', 'outcome', 'progress', 'publication', 'reader'],
  ...[
    'reapplication',
    'reported_configuration',
    'reported_device',
    'reported_firmware',
    'rollout',
    'safety_halt',
    'saved_configuration',
    'zone',
  ],
]

/** Statements of requests that must cross organizations, by a part of their text. */
const crossing: readonly { part: string; reason: string }[] = [
  { part: 'from config ', reason: 'A config is found by its number alone, and then held against the organizations of who asks.' },
  {
    part: 'from reader ',
    reason: 'A registered reader is found by its number alone, and then held against the organizations of who asks.',
  },
  { part: 'firmware_release', reason: 'The vendor sees in how many zones a release is desired; a release is every organization’s.' },
  { part: 'or not is_folded', reason: 'Graphs of all organizations.' },
  { part: 'where not is_folded', reason: 'Graphs of all organizations.' },
  { part: 'from reported_device where day <', reason: 'Graphs of all organizations, and the sweep.' },
  { part: 'from decode_use where used_on <', reason: 'Graphs of all organizations, and the sweep.' },
]

const requests = new AsyncLocalStorage<true>()
const found = new Set<string>()

/** Notes statements of its requests on tenants' tables that do not name the organization for each of them. */
export function guardOrganizations(http: FastifyInstance): void {
  http.addHook('onRequest', (_request, _reply, done) => requests.run(true, done))
}

export const listUnguarded = (): string[] => {
  const statements = [...found]
  found.clear()
  return statements
}

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
  const [text] = parts
  if (requests.getStore() && typeof text === 'string' && !namesOrganizations(text)) found.add(text)
  return (query as (...args: unknown[]) => unknown).apply(this, parts)
} as typeof query

const keywords = 'on|set|where|join|left|cross|inner|order|group|select|values|using|limit|for|union'
const reference = new RegExp(
  String.raw`\b(?:from|join|update|into) (${tenantTables.join('|')})(?: (?:as )?(?!(?:${keywords})\b)(\w+))?(?=[ (),]|$)`,
  'gi',
)

function namesOrganizations(statement: string): boolean {
  const text = statement.replaceAll('"', '').replace(/\s+/g, ' ')
  if (crossing.some(({ part }) => text.includes(part))) return true
  return [...text.matchAll(reference)].every(([, table = '', alias = table]) =>
    new RegExp(String.raw`(?:(?<!\.)\b|\b${alias}\.)organization_id\b`, 'i').test(text),
  )
}

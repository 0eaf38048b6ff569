import { type EndpointName, endpoints } from '@lectern/contract/endpoints.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import type { CallArguments } from '@lectern/contract/http/request.ts'
import pg from 'pg'
import type { Answer } from '../call.ts'
import { listUnguarded, tenantTables } from '../database/organization-guard.ts'
import type { TestServer } from '../server.ts'
import { type Arguments, calls } from './calls.ts'
import { createFixture, type Fixture, type Ids } from './fixture.ts'
import { describe, mutate, Tap } from './mutation.ts'

type Call = (name: EndpointName, args: CallArguments) => Promise<Answer<EndpointName>>

// A call by one principal, with ids of its own organization and of another one.
interface Attack {
  label: string
  isRead: boolean
  send(): Promise<Answer<EndpointName>>
  // The ids in the call itself, which a response may repeat.
  named: string
}

interface Known extends Attack {
  statements: string[]
  status: number
  // Undefined where two equal calls are answered differently.
  text: string | undefined
}

export interface Finding {
  attack: string
  statement: string
  how: 'shown' | 'different' | 'changed'
}

export interface Report {
  findings: Finding[]
  // The statements on tenants' tables, with the number of their conditions.
  statements: number
  conditions: number
  // Statements in which no condition was found to replace.
  unconditional: string[]
  // Statements whose mutation PostgreSQL refused in every call.
  refused: string[]
  // Endpoints that no member, host PC or licence of the organization got a good response from with its own ids, so not all their statements
  // ran.
  unanswered: string[]
  calls: number
}

export interface Part {
  // Which calls are made.
  names?: readonly EndpointName[]
  // The most calls per statement.
  callsPerStatement?: number
  // Only calls with these ids of the other organization; `own`: with none.
  positions?: readonly string[]
}

const principals = (own: Fixture, outsider: Call) => ({
  person: { manager: own.people.manager.call as Call, viewer: own.people.viewer.call as Call, outsider },
  host: { host: own.host.call as Call },
})

// RLS-03: makes calls of one organization, with each of their statements in turn without its condition, on the data of two organizations.
export async function checkRowSecurity(
  server: TestServer,
  { names, callsPerStatement = Number.POSITIVE_INFINITY, positions }: Part = {},
): Promise<Report> {
  const [own, other] = [await createFixture(server, 'attacker'), await createFixture(server, 'victim')]
  const outsider = (await server.person()).call as Call
  const attacks = listAttacks(server, own, other, outsider).filter(
    ({ label }) =>
      (!names || names.some((name) => label.startsWith(`${name} `))) &&
      (!positions || positions.some((position) => label.endsWith(`, ids: ${position}`))),
  )
  const before = await readOther(server, other)
  const tap = new Tap(new URL(server.databaseUrl.replace('@/', '@socket/')).pathname.slice(1))
  tap.looksAt = other.key
  const report: Report = { findings: [], statements: 0, conditions: 0, unconditional: [], refused: [], unanswered: [], calls: 0 }
  try {
    const known: Known[] = []
    for (const attack of attacks) known.push(await learn(tap, attack))
    report.unanswered = findUnanswered(known)
    const texts = [...new Set(known.flatMap(({ statements }) => statements))].filter(isOfTenants)
    for (const text of texts) {
      const { conditions } = mutate(text)
      if (conditions === 0) {
        report.unconditional.push(text)
        continue
      }
      report.statements += 1
      report.conditions += conditions
      tap.mutated = text
      const using = known.filter(({ statements }) => statements.includes(text))
      let isRefused = true
      for (const attack of spread(using, callsPerStatement)) {
        report.calls += 1
        const answer = await attack.send()
        const { seen } = await tap.take()
        if (answer.status !== 500 || attack.status === 500) isRefused = false
        const how = judge(
          attack,
          answer.text,
          other.ids,
          seen.some((description) => description !== before),
        )
        if (how) report.findings.push({ attack: attack.label, statement: text, how })
      }
      if (isRefused) report.refused.push(text)
    }
  } finally {
    tap.close()
    listUnguarded()
  }
  return report
}

function findUnanswered(known: readonly Known[]): string[] {
  const own = known.filter(({ label }) => / by the (manager|viewer|host|licence), ids: own$/.test(label))
  const byName = Map.groupBy(own, ({ label }) => label.slice(0, label.indexOf(' ')))
  return [...byName].filter(([, calls]) => calls.every(({ status }) => status >= 400)).map(([name]) => name)
}

async function learn(tap: Tap, attack: Attack): Promise<Known> {
  tap.mutated = undefined
  await tap.take()
  const first = await attack.send()
  const { sent } = await tap.take()
  const second = await attack.send()
  await tap.take()
  return { ...attack, statements: sent, status: first.status, text: first.text === second.text ? first.text : undefined }
}

const isOfTenants = (text: string): boolean =>
  [...tenantTables].some((name) => new RegExp(`(from|join|into|update|using|,)\\s+"?${name}"?(?![\\w.])`, 'i').test(text)) &&
  !text.startsWith('begin')

function judge(attack: Known, text: string, ids: Ids, hasChanged: boolean): Finding['how'] | undefined {
  if (hasChanged) return 'changed'
  const isForeign = (mark: string) => text.includes(mark) && !attack.named.includes(mark)
  if (['victim', ...Object.values(ids).filter((id) => typeof id === 'string' && id.length > 20)].some((mark) => isForeign(String(mark))))
    return 'shown'
  const isComparable = attack.isRead && attack.text !== undefined && !text.includes('"status":500')
  return isComparable && text !== attack.text ? 'different' : undefined
}

// The owner's role sees all rows.
async function readOther(server: TestServer, { key }: Fixture): Promise<string> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ description: string }>(describe(key))
  await client.end()
  return rows[0]!.description
}

function spread<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most)
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

function listAttacks(server: TestServer, own: Fixture, other: Fixture, outsider: Call): Attack[] {
  const licence: Call = (name, args) => server.call(name, args, { token: own.licence })
  const callers = { ...principals(own, outsider), licence: { licence } }
  return (Object.keys(calls) as EndpointName[]).flatMap((name) => {
    const written: (typeof calls)[EndpointName] = calls[name]
    if (typeof written === 'string') return []
    return Object.entries<Call>(callers[kindOf(name)]).flatMap(([who, call]) =>
      written.flatMap((write) => listPositions(write, own.ids, other.ids).map((ids) => toAttack(name, write, who, call, ids))),
    )
  })
}

function kindOf(name: EndpointName): 'person' | 'host' | 'licence' {
  const { access } = endpoints[name] as Endpoint
  if (access === 'agent') return 'host'
  return access === 'licence' ? 'licence' : 'person'
}

interface Position {
  label: string
  ids: Ids
}

// The sets of ids for a call: all its own; each in turn of the other organization; all of the other.
function listPositions(write: Arguments, own: Ids, other: Ids): Position[] {
  const used = new Set<string>()
  const get = (ids: Ids, key: string | symbol) => {
    used.add(String(key))
    return Reflect.get(ids, key)
  }
  write(new Proxy(own, { get }))
  const change = (keys: readonly string[]) => ({ ...own, ...Object.fromEntries(keys.map((key) => [key, other[key as keyof Ids]])) }) as Ids
  const all = [...used]
  const sets = [[], ...all.map((key) => [key]), ...(all.length > 1 ? [all, all.filter((key) => key !== 'organizationId')] : [])]
  return sets.map((keys) => ({ label: keys.join('+') || 'own', ids: change(keys) }))
}

function toAttack(name: EndpointName, write: Arguments, who: string, call: Call, { label, ids }: Position): Attack {
  const args = write(ids) as CallArguments
  return {
    label: `${name} by the ${who}, ids: ${label}`,
    isRead: (endpoints[name] as Endpoint).method === 'GET',
    send: () => call(name, args),
    named: JSON.stringify(args),
  }
}

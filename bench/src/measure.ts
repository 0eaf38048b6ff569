import { expect } from 'vitest'
import type { Portal } from './portal.ts'
import type { Execution, Plan } from './wiretap.ts'

export const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export interface Cost {
  buffers: number
  rows: number
}

/** Counts rows that a filter discards too. */
function countRows(plan: Plan): number {
  const seen = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const own = / Scan$/.test(plan['Node Type']) && !/^(CTE|Subquery|Function)/.test(plan['Node Type']) ? seen * plan['Actual Loops'] : 0
  return (plan.Plans ?? []).reduce((sum, part) => sum + countRows(part), own)
}

/** What executions touched: pages of 8 kB, from memory or disk, and rows. */
const addCosts = (executions: readonly Execution[]): Cost => ({
  buffers: executions.reduce((sum, { plan }) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0),
  rows: Math.round(executions.reduce((sum, { plan }) => sum + countRows(plan), 0)),
})

const readsReaders = (plan: Plan): boolean => plan['Relation Name'] === 'device' || (plan.Plans ?? []).some(readsReaders)

/**
 * Throws an Error where the cost is not that of a server's own logins under row security. The owner, and a role that bypasses row security,
 * get other plans, and so does one that sees all organizations (SPD-01).
 */
async function checkLogins({ client }: Portal, executions: readonly Execution[]): Promise<void> {
  if (executions.length === 0) throw new Error('There is no plan of what PostgreSQL executed.')
  const { rows } = await client.query<{ name: string; is_open: boolean; crosses: boolean }>(
    `select rolname as name, rolsuper or rolbypassrls or exists (
         select from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(r.oid, relowner, 'member')) as is_open,
       exists (select from pg_policy where polname = 'crossing' and r.oid = any(polroles)) as crosses
     from pg_roles r where rolname = any($1)`,
    [executions.map(({ login }) => login)],
  )
  for (const { login, plan } of executions) {
    const role = rows.find(({ name }) => name === login)
    if (!role || role.is_open) throw new Error(`A figure was taken as ${login}, which owns the tables or bypasses row security.`)
    if (role.crosses && readsReaders(plan)) throw new Error(`A figure was taken as ${login}, which sees all organizations.`)
  }
}

/** What PostgreSQL executes for `work` by the server's logins. */
export async function execute(portal: Portal, work: () => Promise<unknown>): Promise<{ executions: Execution[]; roundTrips: number }> {
  portal.take()
  await work()
  const { executions: all, roundTrips } = portal.take()
  // Statements that cross organizations, besides looking up the caller, are of a sweep that the server ran at the same time.
  const executions = all.filter(({ login, text }) => login !== 'lectern_crossing' || text.includes('"user"'))
  await checkLogins(portal, executions)
  return { executions, roundTrips }
}

function print(...cells: (string | number)[]): void {
  process.stdout.write(`${cells.map((cell, i) => String(cell)[i === 0 ? 'padEnd' : 'padStart'](i === 0 ? 52 : 10)).join('')}\n`)
}

export const printHeading = (title: string): void => print(title, 'buffers', 'rows', 'trips', 'HTTP ms', 'pg ms')

// The seventh execution is the first with a kept plan.
const lookedAt = [1, 7, 100]

/**
 * Prints a line with the cost of a request: the most of the first, the seventh and the hundredth time. Returns it.
 * @param times fewer, for what takes long
 */
export async function measure(portal: Portal, label: string, path: string, times = lookedAt): Promise<Cost> {
  let most: Cost = { buffers: 0, rows: 0 }
  let trips = 0
  const [http, inDatabase]: [number[], number[]] = [[], []]
  for (let time = 1; time <= times.at(-1)!; time++) {
    const ask = async () => void http.push(await timed(() => portal.ask(path)))
    if (!times.includes(time)) {
      await ask()
      continue
    }
    const { executions, roundTrips } = await execute(portal, ask)
    const { buffers, rows } = addCosts(executions)
    most = { buffers: Math.max(most.buffers, buffers), rows: Math.max(most.rows, rows) }
    trips = roundTrips
    inDatabase.push(executions.reduce((sum, { ms }) => sum + ms, 0))
  }
  print(label, most.buffers, most.rows, trips, median(http).toFixed(2), median(inDatabase).toFixed(2))
  return most
}

type Limit = { most: number } | { least: number }
const verdicts: string[] = []

/**
 * Prints whether a limit holds, at once and in the final table. A broken one fails the run, which goes on.
 * @param requirement '' where there is no id
 */
export function judge(requirement: string, what: string, found: number, limit: Limit): void {
  const holds = 'most' in limit ? found <= limit.most : found >= limit.least
  const allowed = 'most' in limit ? `at most ${limit.most}` : `at least ${limit.least}`
  const shown = String(Math.round(100 * found) / 100)
  verdicts.push(`${requirement.padEnd(8)}${what.padEnd(76)}${shown.padStart(10)}   ${allowed.padEnd(16)}${holds ? 'holds' : 'BROKEN'}`)
  process.stdout.write(`\n${what}: ${shown}, ${allowed}: ${holds ? 'holds' : 'BROKEN'}\n\n`)
  expect.soft(holds, `${what}: ${shown}, ${allowed}`).toBe(true)
}

/** Everything that was judged, with its limits. */
export const printVerdicts = (): unknown => process.stdout.write(`\n${verdicts.join('\n')}\n\n`)

import type pg from 'pg'
import { expect } from 'vitest'
import type { Portal } from './portal.ts'
import type { Statement } from './wiretap.ts'

const runs = 11

export const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Sends what the server sent, alone: the least time that it can take. */
async function send({ clientWith }: Portal, statements: Statement[]): Promise<void> {
  for (const { settings, ...statement } of statements) await (await clientWith(settings)).query(statement)
}

export interface Cost {
  buffers: number
  rows: number
}

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/** Including those that a filter discards. */
function countRows(plan: Plan): number {
  const seen = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const own = / Scan$/.test(plan['Node Type']) && !/^(CTE|Subquery|Function)/.test(plan['Node Type']) ? seen * plan['Actual Loops'] : 0
  return (plan.Plans ?? []).reduce((sum, part) => sum + countRows(part), own)
}

/** What statements touch: pages of 8 kB, from memory or disk, and rows. */
async function measureCost({ clientWith }: Portal, statements: Statement[]): Promise<Cost> {
  let [buffers, rows] = [0, 0]
  for (const statement of statements) {
    const plan = await explain(await clientWith(statement.settings), statement)
    buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    rows += countRows(plan)
  }
  return { buffers, rows: Math.round(rows) }
}

/** Of a statement that is prepared, the plan that connections keep, once a first run has read what the connection lacks of the catalogue. */
async function explain(client: pg.Client, { name, text, values }: Statement): Promise<Plan> {
  const read = async (statement: string, parameters: (string | null)[]) =>
    (await client.query(`explain (analyze, buffers, format json) ${statement}`, parameters)).rows[0]['QUERY PLAN'][0].Plan as Plan
  if (name === '') return read(text, values)
  await client.query(`begin; set local plan_cache_mode = force_generic_plan; prepare kept as ${text}`)
  const literals = values.map((value) => (value === null ? 'null' : client.escapeLiteral(value)))
  const execute = `execute kept${literals.length > 0 ? `(${literals.join()})` : ''}`
  await read(execute, [])
  const plan = await read(execute, [])
  await client.query('rollback; deallocate kept')
  return plan
}

function print(...cells: (string | number)[]): void {
  process.stdout.write(`${cells.map((cell, i) => String(cell)[i === 0 ? 'padEnd' : 'padStart'](i === 0 ? 52 : 10)).join('')}\n`)
}

export const printHeading = (title: string): void => print(title, 'buffers', 'rows', 'trips', 'HTTP ms', 'pg ms', 'ratio')

/** Prints a line of what a request costs; returns the pages and rows that all its statements touch. */
export async function measure(portal: Portal, label: string, path: string): Promise<Cost> {
  const { ask, take } = portal
  await ask(path)
  take()
  await ask(path)
  const { statements, roundTrips } = take()
  const cost = await measureCost(portal, statements)
  const http: number[] = []
  const alone: number[] = []
  for (let run = 0; run < runs; run++) {
    http.push(await timed(() => ask(path)))
    alone.push(await timed(() => send(portal, statements)))
  }
  const [a, b] = [median(http), median(alone)]
  print(label, cost.buffers, cost.rows, roundTrips, a.toFixed(2), b.toFixed(2), (a / b).toFixed(1))
  return cost
}

type Limit = { most: number } | { least: number }
const verdicts: string[] = []

/**
 * Prints whether a limit holds, at once and in the table at the end; a broken one fails the run, which goes on.
 * @param requirement empty for what has no number
 */
export function judge(requirement: string, what: string, found: number, limit: Limit): void {
  const holds = 'most' in limit ? found <= limit.most : found >= limit.least
  const allowed = 'most' in limit ? `at most ${limit.most}` : `at least ${limit.least}`
  const shown = String(Math.round(100 * found) / 100)
  verdicts.push(`${requirement.padEnd(8)}${what.padEnd(76)}${shown.padStart(10)}   ${allowed.padEnd(16)}${holds ? 'holds' : 'BROKEN'}`)
  process.stdout.write(`\n${what}: ${shown}, ${allowed}: ${holds ? 'holds' : 'BROKEN'}\n\n`)
  expect.soft(holds, `${what}: ${shown}, ${allowed}`).toBe(true)
}

/** All that was judged, with its limits. */
export const printVerdicts = (): unknown => process.stdout.write(`\n${verdicts.join('\n')}\n\n`)

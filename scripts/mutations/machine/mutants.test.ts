import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { listMutants, markSource } from './mutants.ts'
import { listAllServer, listAllWeb, takeThird } from './run.ts'
import { survivors } from './survivors.ts'
import { listWebMutants, switchSource } from './web-mutants.ts'

const root = dirname(dirname(dirname(import.meta.dirname)))

/** What each mutant of a source makes of it. */
const breakSource = (source: string) =>
  listMutants('server/src/some.ts', source).map(({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end))

test('each condition of SQL is made true but that on the organization, `between` is whole, and so is a condition in brackets', () => {
  const broken = breakSource(
    'const q = sql`select from a where organization_id = ${o} and b between 1 and 2 and (c or d = any(select e from f where g)) order by 1`',
  )
  expect(broken).toEqual([
    'const q = sql`select from a where organization_id = ${o} and true and (c or d = any(select e from f where g)) order by 1`',
    'const q = sql`select from a where organization_id = ${o} and b between 1 and 2 and true order by 1`',
    'const q = sql`select from a where organization_id = ${o} and b between 1 and 2 and (c or d = any(select e from f where true)) order by 1`',
  ])
})

test('each `not`, `is null` and comparison of SQL is turned, an expression of the template is a condition too', () => {
  expect(breakSource('const q = sql`count(*) filter (where a is null and not ${b})`')).toEqual([
    'const q = sql`count(*) filter (where true and not ${b})`',
    'const q = sql`count(*) filter (where a is null and true)`',
    'const q = sql`count(*) filter (where a is not null and not ${b})`',
    'const q = sql`count(*) filter (where a is null and ${b})`',
  ])
  expect(breakSource('const q = sql`case when a < b and c is distinct from d then e @> f end`')).toEqual([
    'const q = sql`case when a < b and true then e @> f end`',
    'const q = sql`case when true and c is distinct from d then e @> f end`',
    'const q = sql`case when a < b and c is not distinct from d then e @> f end`',
    'const q = sql`case when a <= b and c is distinct from d then e @> f end`',
  ])
})

test('each condition of the query builder is left out and each of its comparisons turned, but those on the organization', () => {
  expect(breakSource("db.selectFrom('a').where('organization_id', '=', o).where('b', '<', c).execute()")).toEqual([
    "db.selectFrom('a').where('organization_id', '=', o).execute()",
    "db.selectFrom('a').where('organization_id', '=', o).where('b', '<=', c).execute()",
  ])
})

test('what refuses never does, and what requires is left out', () => {
  expect(breakSource('if (a) throw new Problem(403)')).toEqual(['if (false) throw new Problem(403)'])
  expect(breakSource('function f() {\n  const a = b\n  await requireCurrent(a)\n}')).toEqual(['function f() {\n  const a = b\n  ;\n}'])
})

test('a mark is passed where a test comes to a place, and changes nothing else', () => {
  const source = 'const log = []\nfunction f(a) {\n  const b = a\n  requireSmall(b)\n  if (b > 1) throw new Error(`${b}`)\n}\n'
  const shared = globalThis as { seenByTest?: Set<string> }
  shared.seenByTest = new Set()
  const mutants = listMutants('server/src/some.ts', source)
  const run = new Function('requireSmall', `${markSource(source, mutants)}; return f`)(() => {})
  run(1)
  expect([...shared.seenByTest]).toEqual([mutants[0]!.id])
  expect(() => run(2)).toThrow('2')
  expect([...shared.seenByTest]).toEqual(mutants.map(({ id }) => id))
  delete shared.seenByTest
})

test('each mutant is in one third, and each one that survives for a reason is one of them', () => {
  const all = [...listAllServer(root), ...listAllWeb(root)]
  expect(all.length).toBeGreaterThan(2_000)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect([0, 1, 2].flatMap((third) => takeThird(all, third)).length).toBe(all.length)
  const known = new Set(all.map(({ file, text, original, replacement }) => JSON.stringify([file, text, original, replacement])))
  expect(
    survivors.filter(({ file, line, original, replacement }) => !known.has(JSON.stringify([file, line, original, replacement]))),
  ).toEqual([])
})

const breakPage = (source: string) =>
  listWebMutants('web/src/some.tsx', source).map(({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end))

test('what disables an action never does, and each of its conditions is left out', () => {
  expect(breakPage('const a = <Button disabled={b || c > 1} disabledReason={d ?? undefined} title={e} />')).toEqual([
    'const a = <Button disabled={false} disabledReason={d ?? undefined} title={e} />',
    'const a = <Button disabled={false || c > 1} disabledReason={d ?? undefined} title={e} />',
    'const a = <Button disabled={b || false} disabledReason={d ?? undefined} title={e} />',
    'const a = <Button disabled={b || c > 1} disabledReason={undefined} title={e} />',
    'const a = <Button disabled={b || c > 1} disabledReason={undefined ?? undefined} title={e} />',
  ])
})

test('a read is always and never enabled, and its key has none of its values', () => {
  expect(breakPage("useQuery({ ...q('a', b), enabled: c !== null }); useQuery({ queryKey: ['a', b], queryFn })")).toEqual([
    "useQuery({ ...q('a', b), enabled: true }); useQuery({ queryKey: ['a', b], queryFn })",
    "useQuery({ ...q('a', b), enabled: false }); useQuery({ queryKey: ['a', b], queryFn })",
    "useQuery({ ...q('a', b), enabled: c !== null }); useQuery({ queryKey: ['a', null], queryFn })",
  ])
})

test('a page answers which mutant it has, and asks at each place that it passes', () => {
  const source = 'const f = (b, c) => useQuery({ ...q, enabled: b && c })'
  const mutants = listWebMutants('web/src/some.ts', source)
  const asked: string[] = []
  const runWith = (made: string | undefined) => {
    const page = globalThis as { isMutant?: (id: string) => boolean }
    page.isMutant = (id) => {
      asked.push(id)
      return id === made
    }
    const run = new Function('useQuery', 'q', `${switchSource(source, mutants)}; return f`)(
      (read: { enabled: boolean }) => read.enabled,
      {},
    )
    const answers = [run(true, false), run(false, true), run(false, false)]
    delete page.isMutant
    return answers
  }
  expect(runWith(undefined)).toEqual([false, false, false])
  expect(new Set(asked)).toEqual(new Set(mutants.map(({ id }) => id)))
  expect(mutants.map(({ id, replacement }) => [replacement, runWith(id)])).toEqual([
    ['true', [true, true, true]],
    ['false', [false, false, false]],
    ['true', [false, true, false]],
    ['true', [true, false, false]],
  ])
})

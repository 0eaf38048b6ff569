import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { checkRowSecurity, type Report } from './testing/row-security/check.ts'
import { startServer } from './testing/server.ts'

// `npm run check:row-security` has all statements and calls, which takes minutes.
const isWhole = process.env.LECTERN_ROW_SECURITY === 'all'
const part = isWhole
  ? {}
  : ({
      names: ['listZones', 'getDevice', 'renameGroup', 'getDesired'],
      callsPerStatement: 4,
    } as const)
const environment = { RATE_LIMIT: '10000000', OUTCOMES_PER_MINUTE: '10000000' }

async function newServer() {
  const server = await startServer({ environment })
  onTestFinished(server.stop)
  return server
}

function print({ findings, statements, conditions, calls, refused, unconditional }: Report, title: string): void {
  console.log(
    `${title}: ${statements} statements with ${conditions} conditions made true in turn, ${calls} calls, ${findings.length} leaks`,
  )
  if (!isWhole) return
  for (const text of refused) console.log(`PostgreSQL refuses the mutation of: ${text}`)
  for (const text of unconditional) console.log(`No condition to make true: ${text}`)
}

test('[RLS-03] with the condition on the organization made true in each statement in turn, no call leaks', {
  timeout: 1_800_000,
}, async () => {
  const report = await checkRowSecurity(await newServer(), part)
  print(report, 'Row security')
  expect(report.findings).toEqual([])
  expect(report.statements).toBeGreaterThan(isWhole ? 150 : 5)
})

test('[LEA-03] every endpoint of an organization is called by a principal of its own, and but for five answers well at least once', {
  timeout: 600_000,
}, async () => {
  // No statement is mutated.
  const { unanswered } = await checkRowSecurity(await newServer(), { callsPerStatement: 0, positions: ['own'] })
  // They need what two organizations cannot both have: a release of the vendor, a rollout whose first phase has ended, a reader that was not seen for long.
  expect(unanswered).toEqual(['publishFirmwareVersion', 'reapplyFirmware', 'previewReapplyFirmware', 'beginPhase', 'deleteDevice'])
})

test('[RLS-03] with row security switched off the same check finds leaks', { timeout: 1_800_000 }, async () => {
  const server = await newServer()
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query(`do $$ declare own regclass; begin
    for own in select oid from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity loop
      execute format('alter table %s disable row level security', own); end loop; end $$`)
  await client.end()
  const report = await checkRowSecurity(server, part)
  print(report, 'Without row security')
  const ways = new Set(report.findings.map(({ how }) => how))
  expect([...ways].sort()).toEqual(isWhole ? ['changed', 'different', 'shown'] : expect.arrayContaining(['shown']))
})

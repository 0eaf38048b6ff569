import { expect, test } from 'vitest'
import { findBreaches, findClaimedTypes, findStraySql } from './boundaries.ts'
import { findImports, readSources } from './imports.ts'

/** The breaches of two files, of which the first holds `code`. */
function judge(from: string, code: string): string[] {
  return findBreaches(findImports(new Map([[from, code]]))).map(({ rule }) => rule)
}

test('every import of the project keeps the house rules', () => {
  const imports = findImports(readSources())
  expect(imports.length).toBeGreaterThan(100)
  expect(findBreaches(imports)).toEqual([])
})

test.each([
  ['programs import only the contract', 'web/src/zones/zone.tsx', `import { zones } from '../../../server/src/zones/zones.ts'`],
  ['programs import only the contract', 'agent/src/commands/run.ts', `import type { Settings } from '@lectern/server/lib/settings.ts'`],
  ['programs import only the contract', 'idp/src/provider.ts', `import { Zone } from '@lectern/contract/zones.ts'`],
  ['programs import only the contract', 'server/src/zones/zones.ts', `import { createProvider } from '@lectern/idp/provider.ts'`],
  ['programs import only the contract', 'web/src/lib/api/api.ts', `export { api } from '@lectern/server/app.ts'`],
  ['programs import only the contract', 'web/src/lib/api/api.ts', `const app = await import('../../../../server/src/app.ts')`],
  [
    'programs import only the contract',
    'e2e/zones.e2e.ts',
    `import { createDatabase } from '../../server/src/testing/database/database.ts'`,
  ],
  ['only tests import tests', 'server/src/main.ts', `import { createDatabase } from './testing/database/database.ts'`],
  ['the lib of the server imports no noun', 'server/src/lib/http/router.ts', `import { zones } from '../../zones/zones.ts'`],
  ['the lib of the server imports no noun', 'server/src/postgres/cluster.ts', `import { settings } from '../lib/settings.ts'`],
  ['lib and ui of the web import no noun, ui no lib', 'web/src/ui/button/button.tsx', `import { q } from '../../lib/api/query.ts'`],
  ['lib and ui of the web import no noun, ui no lib', 'web/src/lib/api/query.ts', `import { Zone } from '../../zones/zone.tsx'`],
  ["a server noun calls another noun's <noun>.ts only", 'server/src/zones/zones.ts', `import { insertAudit } from '../audit/sql.ts'`],
  ["a server noun calls another noun's <noun>.ts only", 'server/src/zones/routes.ts', `import { routes } from '../audit/routes.ts'`],
  ['routes call rules, rules call SQL, never the other way', 'server/src/zones/sql.ts', `import { createZone } from './zones.ts'`],
  ['routes call rules, rules call SQL, never the other way', 'server/src/zones/host-sql.ts', `import { createZone } from './zones.ts'`],
  ['SQL calls SQL of its noun and lib', 'server/src/zones/sql.ts', `import { toZone } from './zone-names.ts'`],
  ['SQL calls SQL of its noun and lib', 'server/src/zones/host-sql.ts', `import { type Zone, toZone } from './zone-names.ts'`],
  ['SQL calls SQL of its noun and lib', 'server/src/zones/sql.ts', `import { selectHosts } from '../hosts/sql.ts'`],
  ['SQL calls SQL of its noun and lib', 'server/src/zones/sql.ts', `import type { Host } from '../hosts/hosts.ts'`],
  ['handlers.ts alone imports routes', 'server/src/app.ts', `import { zoneRoutes } from './zones/routes.ts'`],
  ['handlers.ts alone imports routes', 'server/src/zones/hosts.ts', `import { zoneRoutes } from './routes.ts'`],
  ["the server's top leaves SQL to the nouns", 'server/src/app.ts', `import { selectZones } from './zones/sql.ts'`],
  ["the server's top leaves SQL to the nouns", 'server/src/app.ts', `import { selectHosts } from './zones/host-sql.ts'`],
  ["nothing imports a program's top but the top itself", 'web/src/zones/zone.tsx', `import { routes } from '../routes.tsx'`],
  ['lists of a noun are QueryTable or PagedTable', 'web/src/zones/zone-list.tsx', `import { Table } from '../ui/table/table.tsx'`],
  ["a web noun shows another noun's component, and takes nothing else", 'web/src/home/home.tsx', `import { sum } from '../zones/sum.ts'`],
  [
    "a web noun shows another noun's component, and takes nothing else",
    'web/src/home/home.tsx',
    `import Page from '../zones/zones-page.tsx'`,
  ],
  ['no path aliases', 'web/src/zones/zone.tsx', `import { Button } from '@/ui/button.tsx'`],
  [
    'the contract imports the schema library, a hash and the script sandbox, and does no I/O',
    'contract/src/zones.ts',
    `import { readFileSync } from 'node:fs'`,
  ],
])('refuses: %s (%s)', (rule, from, code) => {
  expect(judge(from, code)).toContain(rule)
})

test.each([
  [
    'web/src/zones/zone.tsx',
    `import { Zone } from '@lectern/contract/zones.ts'; import { Button } from '../ui/button/button.tsx'; import { q } from '../lib/api/query.ts'`,
  ],
  ['web/src/home/home-page.tsx', `import { ZoneCard } from '../zones/zone-card.tsx'`],
  ['web/src/routes.tsx', `const page = () => import('./zones/zones-page.tsx')`],
  [
    'server/src/zones/zones.ts',
    `import { recordChange } from '../audit/audit.ts'; import { insertZone } from './sql.ts'; import * as z from 'zod/mini'`,
  ],
  [
    'server/src/zones/sql.ts',
    `import { selectHosts } from './host-sql.ts'; import { fold } from '../lib/database/fold.ts'; import type { Filter } from './filter.ts'`,
  ],
  ['server/src/app.ts', `import { handlers } from './handlers.ts'; import { createProvider } from '@lectern/idp/provider.ts'`],
  ['server/src/handlers.ts', `import { zoneRoutes } from './zones/routes.ts'`],
  ['contract/src/zones.ts', `import * as z from 'zod/mini'; import { text } from './text.ts'`],
])('allows what %s does', (from, code) => {
  expect(judge(from, code)).toEqual([])
})

test('SQL only in sql.ts and *-sql.ts', () => {
  expect(findStraySql(readSources())).toEqual([])
})

test.each([
  ['server/src/zones/zones.ts', 'sql`', 'const { rows } = await sql`select 1`.execute(db)'],
  ['server/src/zones/routes.ts', 'sql<{ one: number }>`', 'const query = sql<{ one: number }>`select 1 as one`'],
  ['server/src/zones/pages.ts', 'selectFrom(', "const zones = db.selectFrom('zone').selectAll()"],
  ['server/src/app.ts', 'insertInto(', "db.insertInto('zone')"],
  ['server/src/lib/http/router.ts', 'updateTable(', "db.updateTable('zone')"],
  ['server/src/zones/mysql.ts', 'deleteFrom(', "db.deleteFrom('zone')"],
])('refuses SQL in %s: %s', (path, to, code) => {
  expect(findStraySql(new Map([[path, code]]))).toEqual([{ rule: 'SQL only in sql.ts and *-sql.ts', from: path, to }])
})

test.each([
  'server/src/zones/sql.ts',
  'server/src/zones/host-sql.ts',
  'server/src/lib/database/cursor.ts',
  'server/src/zones/zones.test.ts',
])('allows SQL in %s', (path) => {
  expect(findStraySql(new Map([[path, "sql`select 1` && db.selectFrom('zone')"]]))).toEqual([])
})

test('types of SQL are those of rows.ts', () => {
  expect(findClaimedTypes(readSources())).toEqual([])
})

test.each([
  ['number', 'const amount = sql<number>`count(*)`'],
  ['{ name: string }', 'const read = (db) => sql<{ name: string }>`select name from zone`.execute(db)'],
  ['boolean | null', 'const isOffline = sql<boolean | null>`seen_at < now()`'],
  ['boolean', "db.selectFrom('zone').select(sql<boolean>`note <> ''`.as('has_note'))"],
  ['SqlBool', "db.selectFrom('zone').select(sql<SqlBool>`note <> ''`.as('has_note'))"],
])('refuses the claim that SQL has the type %s', (to, code) => {
  const claims = (from: string) => findClaimedTypes(new Map([[from, code]])).map((breach) => breach.to)
  expect(claims('server/src/zones/sql.ts')).toEqual([to])
  expect(claims('server/src/lib/database/fold.ts')).toEqual([to])
  expect(claims('server/src/lib/database/rows.ts')).toEqual([])
  expect(claims('server/src/zones/zones.test.ts')).toEqual([])
  expect(claims('server/src/testing/fleet.ts')).toEqual([])
})

test.each([
  "db.selectFrom('zone').where(sql<boolean>`note <> ''`)",
  'const isNamed = sql<SqlBool>`name is not null`',
  "db.selectFrom('zone').select(boolean(sql`note <> ''`).as('has_note'))",
])('allows %s', (code) => {
  expect(findClaimedTypes(new Map([['server/src/zones/sql.ts', code]]))).toEqual([])
})

import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { tenantTables } from '../../testing/database/organization-guard.ts'
import { treatments } from './treatments.ts'

test('each table that a migration makes from 0068 on says its treatment, and no other', async () => {
  const folder = new URL('../../../migrations/', import.meta.url)
  const made: string[] = []
  for (const file of (await readdir(folder)).sort().filter((one) => one >= '0068'))
    for (const [, table] of (await readFile(new URL(file, folder), 'utf8')).matchAll(/^create table (?:if not exists )?"?(\w+)/gm))
      made.push(table!)
  expect(made).toContain('desk_record')
  expect(Object.keys(treatments).sort()).toEqual(made.sort())
  const ofOrganizations = Object.keys(treatments).filter((table) => tenantTables.has(table))
  expect(ofOrganizations.map((table) => [table, treatments[table]?.kind])).toEqual(ofOrganizations.map((table) => [table, 'distributed']))
})

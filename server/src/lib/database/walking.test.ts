import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase as createTestDatabase } from '../../testing/database/database.ts'
import { createDatabase, createPool } from './database.ts'
import { ofOrganization } from './organization.ts'
import { walking } from './walking.ts'

test('[SPD-03] PostgreSQL plans a marked statement without sorting, and the connection’s next one as ever', async () => {
  const { url, drop } = await createTestDatabase()
  const all = createDatabase(createPool(url, { max: 1 }))
  onTestFinished(async () => {
    await all.destroy()
    await drop()
  })
  const db = ofOrganization(all, 1)
  const settings: string[] = []
  for (const mark of [walking, sql``, walking])
    settings.push((await sql<{ sorts: string }>`select current_setting('enable_sort') as sorts ${mark}`.execute(db)).rows[0]!.sorts)
  expect(settings).toEqual(['off', 'on', 'off'])
})

import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase as createTestDatabase } from '../../testing/database/database.ts'
import { createDatabase, createPool } from './database.ts'
import { ofOrganization } from './organization.ts'
import { hashing, walking } from './planning.ts'

test('[SPD-03] a marked statement is planned without sorting or without loops, and the connection’s next one as ever', async () => {
  const { url, drop } = await createTestDatabase()
  const all = createDatabase(createPool(url, { max: 1 }))
  onTestFinished(async () => {
    await all.destroy()
    await drop()
  })
  const db = ofOrganization(all, 1)
  const settings: object[] = []
  for (const mark of [walking, hashing, sql``]) {
    const { rows } = await sql<object>`
      select current_setting('enable_sort') as sorts, current_setting('enable_nestloop') as loops ${mark}`.execute(db)
    settings.push(...rows)
  }
  expect(settings).toEqual([
    { sorts: 'off', loops: 'on' },
    { sorts: 'on', loops: 'off' },
    { sorts: 'on', loops: 'on' },
  ])
})

import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase } from './database.ts'

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('each test file gets a migrated database of its own', async () => {
  const one = await createDatabase()
  const other = await createDatabase()
  expect(await ask(one.url, 'select count(*)::int as migrations from migration')).toEqual([{ migrations: expect.any(Number) }])
  await ask(one.url, 'create table mine ()')
  await expect(ask(other.url, 'select from mine')).rejects.toThrow('relation "mine" does not exist')
  await one.drop()
  await expect(ask(one.url, 'select 1')).rejects.toThrow('does not exist')
  await other.drop()
})

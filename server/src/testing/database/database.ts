import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { createPool } from '../../lib/database/database.ts'
import { databaseUrl } from './database-url.ts'

interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A copy of the run's template: migrated, without rows. */
export const createDatabase = (): Promise<TestDatabase> => copyDatabase(inject('templateDatabase'))

/** Without tables; dropped after the test. */
export async function createEmptyDatabase(): Promise<string> {
  const { url, drop } = await copyDatabase('template1')
  onTestFinished(drop)
  return url
}

/** Ended after the test. */
export function openPool(url: string): pg.Pool {
  const pool = createPool(url)
  onTestFinished(() => pool.end())
  return pool
}

async function copyDatabase(template: string): Promise<TestDatabase> {
  const clusterUrl = inject('clusterUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await inMaintenance(clusterUrl, `create database ${name} template ${template}`)
  return {
    url: databaseUrl(clusterUrl, name),
    drop: () => inMaintenance(clusterUrl, `drop database if exists ${name} with (force)`),
  }
}

async function inMaintenance(clusterUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

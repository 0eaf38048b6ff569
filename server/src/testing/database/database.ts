import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { databaseUrl } from './database-url.ts'

/** A copy of the run's template: migrated and empty. */
export async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const clusterUrl = inject('clusterUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await inMaintenance(clusterUrl, `create database ${name} template ${inject('templateDatabase')}`)
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

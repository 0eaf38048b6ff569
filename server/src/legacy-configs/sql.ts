import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

const columns = (db: Database) =>
  db
    .selectFrom('config')
    .innerJoin('organization', 'organization.id', 'config.organization_id')
    .select(['config.id', 'organization.company_id', 'config.name', 'config.content'])

/** The configs of some organizations, or of all, oldest first. */
export const selectConfigs = (db: Database, organizationIds: readonly string[] | 'all') =>
  columns(db)
    .$if(organizationIds !== 'all', (query) => query.where('config.organization_id', '=', sql<string>`any(${organizationIds})`))
    .orderBy('config.id')

/** Adds a config; answers its id. */
export const insertConfig = async (
  db: Database,
  config: { organization_id: string; collection: string; name: string; content: string },
): Promise<number> => (await db.insertInto('config').values(config).returning('id').executeTakeFirstOrThrow()).id

/** Changes what is given of a config. Answers it, or undefined where there is no such one. */
export function updateConfig(db: Database, place: ConfigPlace, changes: { name?: string; content?: string }) {
  const { id, collection, organizationIds } = place
  return db
    .updateTable('config')
    .set({ collection, ...changes })
    .where('id', '=', id)
    .where('collection', '=', collection)
    .$if(organizationIds !== 'all', (query) => query.where('organization_id', '=', sql<string>`any(${organizationIds})`))
    .returning(['organization_id', 'name'])
    .executeTakeFirst()
}

/** Deletes a config. Answers what it was, or undefined where there was no such one. */
export const deleteConfig = (db: Database, { id, collection, organizationIds }: ConfigPlace) =>
  db
    .deleteFrom('config')
    .where('id', '=', id)
    .where('collection', '=', collection)
    .$if(organizationIds !== 'all', (query) => query.where('organization_id', '=', sql<string>`any(${organizationIds})`))
    .returning(['organization_id', 'name'])
    .executeTakeFirst()

interface ConfigPlace {
  id: number
  collection: string
  organizationIds: readonly string[] | 'all'
}

import { sql } from 'kysely'
import type { Database } from '../lib/database.ts'

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

/** Changes what is given of a config. Answers whether there is such a one. */
export async function updateConfig(db: Database, place: ConfigPlace, changes: { name?: string; content?: string }): Promise<boolean> {
  const { id, collection, organizationIds } = place
  const { numUpdatedRows } = await db
    .updateTable('config')
    .set({ collection, ...changes })
    .where('id', '=', id)
    .where('collection', '=', collection)
    .$if(organizationIds !== 'all', (query) => query.where('organization_id', '=', sql<string>`any(${organizationIds})`))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a config. Answers whether there was such a one. */
export async function deleteConfig(db: Database, { id, collection, organizationIds }: ConfigPlace): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('config')
    .where('id', '=', id)
    .where('collection', '=', collection)
    .$if(organizationIds !== 'all', (query) => query.where('organization_id', '=', sql<string>`any(${organizationIds})`))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

interface ConfigPlace {
  id: number
  collection: string
  organizationIds: readonly string[] | 'all'
}

import { type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import type { OrganizationScope } from '../lib/http/caller.ts'

const isOfAny = (organizations: OrganizationScope) => sql<SqlBool>`config.organization_id = any(${organizations})`

const selectVisible = (db: Database, scope: OrganizationScope) =>
  db
    .selectFrom('config')
    .innerJoin('organization', 'organization.id', 'config.organization_id')
    .select(['config.id', 'organization.company_id', 'config.name', 'config.content'])
    .$if(scope !== 'all', (query) => query.where(isOfAny(scope)))
    .orderBy('config.id')

export const selectConfigs = (db: Database, scope: OrganizationScope) => selectVisible(db, scope).execute()

export const selectConfigsOfCompany = (db: Database, scope: OrganizationScope, companyId: number) =>
  selectVisible(db, scope).where('company_id', '=', companyId).execute()

export const selectConfig = (db: Database, scope: OrganizationScope, id: number) =>
  selectVisible(db, scope).where('config.id', '=', id).executeTakeFirst()

export const insertConfig = async (
  db: Database,
  config: { organization_id: number; collection: string; name: string; content: string; created_by: string },
): Promise<number> => (await db.insertInto('config').values(config).returning('id').executeTakeFirstOrThrow()).id

export function updateConfig(db: Database, place: ConfigPlace, changes: { name?: string; content?: string }) {
  const { id, collection, scope } = place
  return db
    .updateTable('config')
    .set({ collection, ...changes })
    .where('id', '=', id)
    .where('collection', '=', collection)
    .$if(scope !== 'all', (query) => query.where(isOfAny(scope)))
    .returning(['organization_id', 'name'])
    .executeTakeFirst()
}

export const deleteConfig = (db: Database, { id, collection, scope }: ConfigPlace) =>
  db
    .deleteFrom('config')
    .where('id', '=', id)
    .where('collection', '=', collection)
    .$if(scope !== 'all', (query) => query.where(isOfAny(scope)))
    .returning(['organization_id', 'name'])
    .executeTakeFirst()

interface ConfigPlace {
  id: number
  collection: string
  scope: OrganizationScope
}

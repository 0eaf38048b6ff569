import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

type OrganizationIds = readonly number[] | 'all'

const selectVisible = (db: Database, organizationIds: OrganizationIds) =>
  db
    .selectFrom('config')
    .innerJoin('organization', 'organization.id', 'config.organization_id')
    .select(['config.id', 'organization.company_id', 'config.name', 'config.content'])
    .$if(organizationIds !== 'all', (query) => query.where('config.organization_id', '=', sql<number>`any(${organizationIds})`))
    .orderBy('config.id')

export const selectConfigs = (db: Database, organizationIds: OrganizationIds) => selectVisible(db, organizationIds).execute()

export const selectConfigsOfCompany = (db: Database, organizationIds: OrganizationIds, companyId: number) =>
  selectVisible(db, organizationIds).where('company_id', '=', companyId).execute()

export const selectConfig = (db: Database, organizationIds: OrganizationIds, id: number) =>
  selectVisible(db, organizationIds).where('config.id', '=', id).executeTakeFirst()

export const insertConfig = async (
  db: Database,
  config: { organization_id: number; collection: string; name: string; content: string },
): Promise<number> => (await db.insertInto('config').values(config).returning('id').executeTakeFirstOrThrow()).id

export function updateConfig(db: Database, place: ConfigPlace, changes: { name?: string; content?: string }) {
  const { id, collection, organizationIds } = place
  return db
    .updateTable('config')
    .set({ collection, ...changes })
    .where('id', '=', id)
    .where('collection', '=', collection)
    .$if(organizationIds !== 'all', (query) => query.where('organization_id', '=', sql<number>`any(${organizationIds})`))
    .returning(['organization_id', 'name'])
    .executeTakeFirst()
}

export const deleteConfig = (db: Database, { id, collection, organizationIds }: ConfigPlace) =>
  db
    .deleteFrom('config')
    .where('id', '=', id)
    .where('collection', '=', collection)
    .$if(organizationIds !== 'all', (query) => query.where('organization_id', '=', sql<number>`any(${organizationIds})`))
    .returning(['organization_id', 'name'])
    .executeTakeFirst()

interface ConfigPlace {
  id: number
  collection: string
  organizationIds: OrganizationIds
}

import { type Insertable, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import type { DB } from '../lib/database/schema.ts'

type Row<Table extends keyof DB> = Insertable<DB[Table]>

export async function insertOrganization(db: Database, organization: Row<'organization'>): Promise<boolean> {
  const inserted = await db
    .insertInto('organization')
    .values(organization)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

export async function insertGroup(db: Database, organizationId: string, name: string, productIds: readonly number[]): Promise<void> {
  const group = await db.insertInto('group').values({ organization_id: organizationId, name }).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('group_product')
    .values(productIds.map((productId) => ({ organization_id: organizationId, group_id: group.id, product_id: productId })))
    .execute()
}

export async function upsertUser(db: Database, user: Omit<Row<'user'>, 'id'>): Promise<string> {
  const { id } = await db
    .insertInto('user')
    .values({ id: uuidv7(), ...user })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ email: user.email }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertMember(db: Database, organizationId: string, userId: string): Promise<void> {
  const group = db.selectFrom('group').select(sql<number>`min(id)`.as('id')).where('organization_id', '=', organizationId)
  await db
    .insertInto('member')
    .values({ organization_id: organizationId, user_id: userId, group_id: group.$asScalar() as never })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .execute()
}

export const selectAnyZone = (db: Database) => db.selectFrom('zone').select('id').limit(1).executeTakeFirst()

export const selectZonesByName = (db: Database, organizationId: string, names: readonly string[]) =>
  db.selectFrom('zone').select(['id', 'name']).where('organization_id', '=', organizationId).where('name', 'in', names).execute()

export const deleteHosts = (db: Database, zoneId: string, name: string) =>
  db.deleteFrom('host').where('zone_id', '=', zoneId).where('name', '=', name).execute()

export const selectSeededReaders = (db: Database, zoneId: string) =>
  db
    .selectFrom('device')
    .innerJoin('device_state', 'device_id', 'device.id')
    .select(['serial_number', 'device_type', 'warranty_until', 'battery_health', 'current_config', 'config_hash', 'current_firmware'])
    .where('zone_id', '=', zoneId)
    .where(
      'last_seen_at',
      '>',
      sql<Date>`(select max(s.last_seen_at) - interval '2 days' from device d join device_state s on s.device_id = d.id
      where d.zone_id = ${zoneId})`,
    )
    .execute()
export type SeededReaderRow = Awaited<ReturnType<typeof selectSeededReaders>>[number]

export const insertZone = (db: Database, zone: Row<'zone'>) => db.insertInto('zone').values(zone).execute()

export const insertHost = (db: Database, host: Row<'host'>) => db.insertInto('host').values(host).execute()

export async function insertDevices(
  db: Database,
  devices: readonly { device: Row<'device'>; state: Row<'device_state'> }[],
): Promise<void> {
  await db
    .insertInto('device')
    .values(devices.map(({ device }) => device))
    .execute()
  await db
    .insertInto('device_state')
    .values(devices.map(({ state }) => state))
    .execute()
}

export const insertLicences = (db: Database, licences: readonly Row<'licence'>[]) => db.insertInto('licence').values(licences).execute()

export const insertReaders = (db: Database, readers: readonly Row<'reader'>[]) => db.insertInto('reader').values(readers).execute()

export const insertCases = (db: Database, cases: readonly Row<'support_case'>[]) => db.insertInto('support_case').values(cases).execute()

export const selectAnyRelease = (db: Database) => db.selectFrom('firmware_release').select('id').limit(1).executeTakeFirst()

export const insertRelease = (db: Database, release: Row<'firmware_release'>) =>
  db
    .insertInto('firmware_release')
    .values(release)
    .onConflict((conflict) => conflict.columns(['device_type', 'version_order']).doNothing())
    .execute()

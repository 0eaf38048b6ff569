import { type Insertable, type SqlBool, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { integer, orNull } from '../lib/database/rows.ts'
import type { DB } from '../lib/database/schema.ts'
import type { ZoneIds } from '../lib/http/caller.ts'

type Row<Table extends keyof DB> = Insertable<DB[Table]>

/** Returns undefined where an organization has this public id already. */
export async function insertOrganization(db: Database, organization: Row<'organization'>): Promise<number | undefined> {
  const inserted = await db
    .insertInto('organization')
    .values(organization)
    .onConflict((conflict) => conflict.column('public_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export async function insertGroup(db: Database, organizationId: number, name: string, productIds: readonly number[]): Promise<void> {
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

export async function insertMember(db: Database, organizationId: number, userId: string, role: string): Promise<void> {
  const group = db
    .selectFrom('group')
    .select(orNull(integer(sql`min(id)`)).as('id'))
    .where('organization_id', '=', organizationId)
  await db
    .insertInto('member')
    .values({ organization_id: organizationId, user_id: userId, built_in_role: role, group_id: group.$asScalar() as never })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .execute()
}

const ofTheDemo = 'LEC-DEMO-%'

/** Returns those of these addresses that have an account. */
export async function selectAccounts(identity: Database, emails: readonly string[]): Promise<string[]> {
  const accounts = await identity
    .selectFrom('idp_account')
    .select('email')
    .where(sql`lower(email)`, 'in', emails)
    .orderBy('email')
    .execute()
  return accounts.map(({ email }) => email)
}

export async function selectDemoLicences(db: Database): Promise<string[]> {
  const licences = await db
    .selectFrom('licence_owner')
    .select('licence_number')
    .where('licence_number', 'like', ofTheDemo)
    .orderBy('licence_number')
    .execute()
  return licences.map(({ licence_number }) => licence_number)
}

export const deleteLicenceOwners = (db: Database) => db.deleteFrom('licence_owner').where('licence_number', 'like', ofTheDemo).execute()

export const selectAnyZone = (db: Database) => db.selectFrom('zone').select('id').limit(1).executeTakeFirst()

export const hasRollout = async (db: Database, organizationId: number, id: string): Promise<boolean> =>
  (await db.selectFrom('rollout').select('id').where('organization_id', '=', organizationId).where('id', '=', id).executeTakeFirst()) !==
  undefined

export const selectMember = (db: Database, organizationId: number, email: string) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('user.id')
    .where('member.organization_id', '=', organizationId)
    .where('user.email', '=', email)
    .executeTakeFirst()

// Counts those of these zones that have no host PC that has reported its readers.
export const countSilentZones = async (db: Database, organizationId: number, zoneIds: readonly number[]): Promise<number> => {
  const reporting = await db
    .selectFrom('host')
    .select('zone_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('zone_id', 'in', zoneIds)
    .where('knows_phases', '=', true)
    .execute()
  return zoneIds.length - reporting.length
}

export const selectZonesByName = (db: Database, organizationId: number, names: readonly string[]) =>
  db
    .selectFrom('zone')
    .select(['id', 'public_id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('name', 'in', names)
    .execute()

export async function deleteHosts(db: Database, { organizationId, zoneId }: ZoneIds, name: string): Promise<void> {
  await sql`
    update device d set host_id = null, last_seen_at = coalesce(d.last_seen_at, h.readers_seen_at) from host h
    where d.organization_id = ${organizationId} and h.organization_id = ${organizationId} and h.id = d.host_id and h.zone_id = ${zoneId}
      and h.name = ${name}`.execute(db)
  await db.deleteFrom('host').where('organization_id', '=', organizationId).where('zone_id', '=', zoneId).where('name', '=', name).execute()
}

const seenAt = sql`coalesce(device.last_seen_at, (
  select readers_seen_at from host h where h.organization_id = device.organization_id and h.id = device.host_id))`

export const selectSeededReaders = (db: Database, { organizationId, zoneId }: ZoneIds) =>
  db
    .selectFrom('device')
    .leftJoin('reported_firmware as firmware', (join) =>
      join.on('firmware.organization_id', '=', organizationId).onRef('firmware.id', '=', 'device.firmware_id'),
    )
    .leftJoin('reported_configuration as configuration', (join) =>
      join.on('configuration.organization_id', '=', organizationId).onRef('configuration.id', '=', 'device.configuration_id'),
    )
    .select(['serial_number', 'device_type', 'warranty_until', 'battery_health', 'configuration.label as current_config'])
    .select(['configuration.content_hash as config_hash', 'firmware.version as current_firmware'])
    .where('device.organization_id', '=', organizationId)
    .where('device.zone_id', '=', zoneId)
    .where(
      sql<SqlBool>`${seenAt} > (
        select max(${seenAt}) - interval '2 days' from device where organization_id = ${organizationId} and zone_id = ${zoneId})`,
    )
    .execute()
export type SeededReaderRow = Awaited<ReturnType<typeof selectSeededReaders>>[number]

export const insertZone = (db: Database, zone: Row<'zone'>) => db.insertInto('zone').values(zone).returning('id').executeTakeFirstOrThrow()

export const insertHost = (db: Database, host: Row<'host'>) => db.insertInto('host').values(host).returning('id').executeTakeFirstOrThrow()

export interface SeededDevice {
  device: Row<'device'>
  firmware: { version: string; version_order: string }
  configuration: { label: string; content_hash: string } | null
}

export async function insertDevices(db: Database, organizationId: number, devices: readonly SeededDevice[]): Promise<void> {
  const firmware = new Map(devices.map((one) => [one.firmware.version, one.firmware]))
  const configurations = new Map(
    devices.flatMap(({ configuration }) => (configuration ? [[configuration.content_hash, configuration]] : [])),
  )
  await db
    .insertInto('reported_firmware')
    .values([...firmware.values()].map((one) => ({ organization_id: organizationId, ...one })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (configurations.size > 0)
    await db
      .insertInto('reported_configuration')
      .values([...configurations.values()].map((one) => ({ organization_id: organizationId, ...one })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  const firmwareIds = await db
    .selectFrom('reported_firmware')
    .select(['id', 'version'])
    .where('organization_id', '=', organizationId)
    .execute()
  const configurationIds = await db
    .selectFrom('reported_configuration')
    .select(['id', 'content_hash'])
    .where('organization_id', '=', organizationId)
    .execute()
  await db
    .insertInto('device')
    .values(
      devices.map((one) => ({
        ...one.device,
        firmware_id: firmwareIds.find(({ version }) => version === one.firmware.version)?.id ?? null,
        configuration_id: configurationIds.find(({ content_hash }) => content_hash === one.configuration?.content_hash)?.id ?? null,
      })),
    )
    .execute()
}

export async function insertLicences(db: Database, licences: readonly Row<'licence'>[]): Promise<void> {
  await db.insertInto('licence').values(licences).execute()
  const owners = licences.map(({ id, organization_id, licence_number }) => ({ organization_id, licence_number, licence_id: id }))
  await db.insertInto('licence_owner').values(owners).execute()
}

export const insertReaders = (db: Database, readers: readonly Row<'reader'>[]) => db.insertInto('reader').values(readers).execute()

export const insertCases = (db: Database, cases: readonly Row<'support_case'>[]) => db.insertInto('support_case').values(cases).execute()

export const selectAnyRelease = (db: Database) => db.selectFrom('firmware_release').select('id').limit(1).executeTakeFirst()

export const insertRelease = (db: Database, release: Row<'firmware_release'>) =>
  db
    .insertInto('firmware_release')
    .values(release)
    .onConflict((conflict) => conflict.columns(['device_type', 'version_order']).doNothing())
    .execute()

import { warrantyMonths } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'

/** Whether a warranty has expired or ends within three months; days are UTC (spec §9). */
export const isWarrantyDue = (date: RawBuilder<unknown>) =>
  sql<boolean>`${date} <= (now() at time zone 'UTC')::date + make_interval(months => ${warrantyMonths})`

const batch = 5_000
const hostBatch = 100

export type Due = 'offline' | 'warranty_due'

const isDue: Record<Due, RawBuilder<boolean>> = {
  offline: sql`not offline and last_seen_at is not null and ${isOffline(sql`last_seen_at`)}`,
  warranty_due: sql`not warranty_due and ${isWarrantyDue(sql`warranty_until`)}`,
}

const isHostDue = sql<boolean>`not readers_offline and ${isOffline(sql`readers_seen_at`)}`

export async function selectOrganizationsWithDue(db: Database, due: Due | 'hosts'): Promise<number[]> {
  const found =
    due === 'hosts'
      ? sql`select from host where organization_id = o.id and ${isHostDue}`
      : sql`select from device where organization_id = o.id and ${isDue[due]}`
  const { rows } = await sql<{ id: number }>`select o.id from organization o where exists (${found})`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks as a check-in does, hosts before readers; what is locked already waits for the next sweep. Hosts learn that a warranty is due. Returns the
 * number of readers marked.
 */
export async function updateDue(db: Database, due: Due, organizationId: number): Promise<number> {
  const { rows: found } = await sql<{ id: number; host: number | null }>`
    select id, host_id as host from device where organization_id = ${organizationId} and ${isDue[due]} limit ${batch}`.execute(db)
  const { rows: hosts } = await sql<{ id: number }>`
    select id from host where organization_id = ${organizationId} and id = any(${[...new Set(found.map(({ host }) => host))]}::int[])
    for no key update skip locked`.execute(db)
  const hostIds = hosts.map(({ id }) => id)
  const { numAffectedRows = 0n } = await sql`
    update device set ${sql.ref(due)} = true where organization_id = ${organizationId} and ${isDue[due]}
      and (host_id is null or host_id = any(${hostIds}::int[])) and id = any(array(
        select id from device where organization_id = ${organizationId} and id = any(${found.map(({ id }) => id)}::bigint[])
        for no key update skip locked))`.execute(db)
  if (due === 'warranty_due')
    await sql`
      update host set has_warranty_due = true
      where organization_id = ${organizationId} and id = any(${hostIds}::int[]) and not has_warranty_due`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Marks readers that are seen with their host. Locks as a check-in does, the host before its readers and those by serial number. Hosts that are
 * locked already wait for the next sweep. Returns the number of readers marked.
 */
export async function updateHostsDue(db: Database, organizationId: number): Promise<number> {
  const { rows: hosts } = await sql<{ id: number }>`
    select id from host where organization_id = ${organizationId} and ${isHostDue} limit ${hostBatch} for no key update skip locked`.execute(
    db,
  )
  if (hosts.length === 0) return 0
  const isOfHosts = sql`organization_id = ${organizationId} and host_id = any(${hosts.map(({ id }) => id)}::int[]) and last_seen_at is null`
  await sql`select from device where ${isOfHosts} and not offline order by serial_number for no key update`.execute(db)
  const { numAffectedRows = 0n } = await sql`update device set offline = true where ${isOfHosts} and not offline`.execute(db)
  await sql`
    update host set readers_offline = true
    where organization_id = ${organizationId} and id = any(${hosts.map(({ id }) => id)}::int[])`.execute(db)
  return Number(numAffectedRows)
}

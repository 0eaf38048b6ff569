import { warrantyMonths } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { bigint, integer, orNull, read } from '../lib/database/rows.ts'

/** Whether a warranty has expired or ends within three months; days are UTC (spec §9). */
// A date, not the timestamp that the sum is: under row security only operators that leak nothing reach an index (decision 51).
export const warrantyDueUntil = sql`((now() at time zone 'UTC')::date + make_interval(months => ${sql.lit(warrantyMonths)}))::date`
export const isWarrantyDue = (date: RawBuilder<unknown>) => sql<boolean>`${date} <= ${warrantyDueUntil}`

const batch = 5_000
const hostBatch = 100

/** A mark that changes with time. It is also taken back, where a wrong clock had set it (FLT-08). */
export interface Change {
  mark: 'offline' | 'warranty_due'
  to: boolean
}

const isPast: Record<Change['mark'], RawBuilder<boolean>> = {
  offline: isOffline(sql`last_seen_at`),
  warranty_due: isWarrantyDue(sql`warranty_until`),
}

// In the form of the indexes of readers with the mark and of those without it.
const isDue = ({ mark, to }: Change): RawBuilder<boolean> => {
  const condition = to ? sql<boolean>`not ${sql.ref(mark)} and ${isPast[mark]}` : sql<boolean>`${sql.ref(mark)} and not (${isPast[mark]})`
  return mark === 'offline' ? sql`last_seen_at is not null and ${condition}` : condition
}

const isHostDue = (to: boolean): RawBuilder<boolean> => {
  const isPastHost = isOffline(sql`readers_seen_at`)
  return to ? sql`not readers_offline and ${isPastHost}` : sql`readers_offline and not (${isPastHost})`
}

const selectOrganizationsWith = async (db: Database, found: RawBuilder<unknown>): Promise<number[]> => {
  const rows = await read(db, { id: integer(sql`o.id`) }, (list) => sql`select ${list} from organization o where exists (${found})`)
  return rows.map(({ id }) => id)
}

export const selectOrganizationsWithDue = (db: Database, change: Change) =>
  selectOrganizationsWith(db, sql`select from device where organization_id = o.id and ${isDue(change)}`)

export const selectOrganizationsWithHostsDue = (db: Database, to: boolean) =>
  selectOrganizationsWith(db, sql`select from host where organization_id = o.id and ${isHostDue(to)}`)

/** `marked`: how many readers. `hasMore`: this transaction took as many as it may. */
interface Progress {
  marked: number
  hasMore: boolean
}

/**
 * Locks hosts before readers, as a check-in does. What is locked already waits for the next sweep. Hosts are notified that a warranty is
 * due.
 */
export async function updateDue(db: Database, change: Change, organizationId: number): Promise<Progress> {
  const { mark, to } = change
  const found = await read(
    db,
    { id: bigint(sql`id`), host: orNull(integer(sql`host_id`)) },
    (list) => sql`select ${list} from device where organization_id = ${organizationId} and ${isDue(change)} limit ${batch}`,
  )
  const hosts = await read(
    db,
    { id: integer(sql`id`) },
    (list) => sql`
      select ${list} from host where organization_id = ${organizationId} and id = any(${[...new Set(found.map(({ host }) => host))]}::int[])
      for no key update skip locked`,
  )
  const hostIds = hosts.map(({ id }) => id)
  const { numAffectedRows = 0n } = await sql`
    update device set ${sql.ref(mark)} = ${to} where organization_id = ${organizationId} and ${isDue(change)}
      and (host_id is null or host_id = any(${hostIds}::int[])) and id = any(array(
        select id from device where organization_id = ${organizationId} and id = any(${found.map(({ id }) => id)}::bigint[])
        for no key update skip locked))`.execute(db)
  if (mark === 'warranty_due' && to)
    await sql`
      update host set has_warranty_due = true
      where organization_id = ${organizationId} and id = any(${hostIds}::int[]) and not has_warranty_due`.execute(db)
  const marked = Number(numAffectedRows)
  return { marked, hasMore: marked === batch }
}

/**
 * Marks readers that are seen with their host. Locks the host before its readers, and those by serial number, as a check-in does. Hosts
 * that are locked already wait for the next sweep.
 */
export async function updateHostsDue(db: Database, to: boolean, organizationId: number): Promise<Progress> {
  const hosts = await read(
    db,
    { id: integer(sql`id`) },
    (list) => sql`
      select ${list} from host where organization_id = ${organizationId} and ${isHostDue(to)} limit ${hostBatch}
      for no key update skip locked`,
  )
  if (hosts.length === 0) return { marked: 0, hasMore: false }
  const isWrong = sql`organization_id = ${organizationId} and host_id = any(${hosts.map(({ id }) => id)}::int[]) and last_seen_at is null
    and offline <> ${to}`
  await sql`select from device where ${isWrong} order by serial_number for no key update`.execute(db)
  const { numAffectedRows = 0n } = await sql`update device set offline = ${to} where ${isWrong}`.execute(db)
  await sql`
    update host set readers_offline = ${to}
    where organization_id = ${organizationId} and id = any(${hosts.map(({ id }) => id)}::int[])`.execute(db)
  return { marked: Number(numAffectedRows), hasMore: hosts.length === hostBatch }
}

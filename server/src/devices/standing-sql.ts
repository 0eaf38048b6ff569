import { warrantyMonths } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'

/** Whether a warranty has expired or ends within three months; days are UTC (spec §9). */
export const isWarrantyDue = (date: RawBuilder<unknown>) =>
  sql<boolean>`${date} <= (now() at time zone 'UTC')::date + make_interval(months => ${warrantyMonths})`

const batch = 5_000

export type Due = 'offline' | 'warranty_due'

const isDue: Record<Due, RawBuilder<boolean>> = {
  offline: isOffline(sql`s.last_seen_at`),
  warranty_due: isWarrantyDue(sql`d.warranty_until`),
}

const unmarked: Record<Due, (organization: RawBuilder<unknown>) => RawBuilder<unknown>> = {
  offline: (organization) => sql`
    select device_id as id from device_state where organization_id = ${organization} and not offline and ${isOffline(sql`last_seen_at`)} limit ${batch}`,
  warranty_due: (organization) => sql`
    select id from device where organization_id = ${organization} and not warranty_due and ${isWarrantyDue(sql`warranty_until`)} limit ${batch}`,
}

export async function selectOrganizationsWithDue(db: Database, due: Due): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select o.id from organization o where exists (${unmarked[due](sql`o.id`)})`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks as a check-in does, in its order, device before device_state; readers that are locked already wait for the next sweep.
 * Returns the number of readers marked.
 */
export async function updateDue(db: Database, due: Due, organizationId: string): Promise<number> {
  const column = sql.ref(due)
  const locked = await sql<{ id: string }>`
    select id from device where id in (${unmarked[due](sql`${organizationId}`)}) order by id for no key update skip locked`.execute(db)
  // A check-in may have come between: only a reader that is still due is marked.
  const { rows } = await sql<{ id: string }>`
    update device_state s set ${column} = true from device d
    where s.device_id = any(${locked.rows.map((row) => row.id)}::uuid[]) and d.id = s.device_id and ${isDue[due]}
    returning d.id`.execute(db)
  await sql`update device set ${column} = true where id = any(${rows.map((row) => row.id)}::uuid[])`.execute(db)
  return rows.length
}

import type { ConnectStatus } from '@lectern/contract/readers.ts'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { instant, integer, orNull } from '../lib/database/rows.ts'
import type { OrganizationScope } from '../lib/http/caller.ts'
import { containsPattern } from '../lib/like.ts'

export interface ReaderList {
  organizationId: number
  status: ConnectStatus
  text: string
}

const matches = ({ organizationId, text }: ReaderList) =>
  sql<SqlBool>`${sql.join(
    [
      sql`organization_id = ${organizationId}`,
      ...text
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => sql`search like lower(${containsPattern(word)})`),
    ],
    sql` and `,
  )}`

const registered = (db: Database) =>
  db.selectFrom('reader').select(['id', 'organization_id', 'serial_number', 'is_lost', 'code_master_id', 'last_activity_at'])

const reported = (db: Database, readers: ReturnType<typeof registered>) =>
  db
    .selectFrom(readers.as('reader'))
    .leftJoin('device', (join) =>
      join.onRef('device.organization_id', '=', 'reader.organization_id').onRef('device.serial_number', '=', 'reader.serial_number'),
    )
    .leftJoin('host', (join) => join.onRef('host.organization_id', '=', 'device.organization_id').onRef('host.id', '=', 'device.host_id'))

const activeAt = sql`greatest(reader.last_activity_at, coalesce(device.last_seen_at, host.readers_seen_at))`

const readerRows = (db: Database, readers: ReturnType<typeof registered>) =>
  reported(db, readers)
    .select(['reader.id', 'reader.organization_id', 'reader.serial_number', 'reader.is_lost', 'reader.code_master_id'])
    .select(['device.simulated', orNull(instant(activeAt)).as('active_at')])
    .orderBy('reader.serial_number')

export type ReaderRow = Awaited<ReturnType<typeof selectReader>> & object

const isReaderOffline = sql<SqlBool>`coalesce(${isOffline(activeAt)}, true)`
const hasStatus = (status: 'online' | 'offline') => (status === 'offline' ? isReaderOffline : sql<SqlBool>`not ${isReaderOffline}`)

export function selectReaders(db: Database, list: ReaderList, page?: { offset: number; size: number }) {
  const readers = registered(db).where(matches(list))
  if (list.status !== 'all') {
    const rows = readerRows(db, readers).where(hasStatus(list.status))
    return page ? rows.offset(page.offset).limit(page.size) : rows
  }
  // Readers before the page are found without a join.
  return readerRows(db, page ? readers.orderBy('serial_number').offset(page.offset).limit(page.size) : readers)
}

export async function countReaders(db: Database, list: ReaderList): Promise<number> {
  const amount = integer(sql`count(*)`).as('amount')
  const count =
    list.status === 'all'
      ? db.selectFrom('reader').select(amount).where(matches(list))
      : reported(db, registered(db).where(matches(list)))
          .select(amount)
          .where(hasStatus(list.status))
  return (await count.executeTakeFirstOrThrow()).amount
}

const isReader = (id: number, scope: OrganizationScope) =>
  scope === 'all' ? sql<SqlBool>`id = ${id}` : sql<SqlBool>`organization_id = any(${scope}) and id = ${id}`

export const selectReader = (db: Database, id: number, scope: OrganizationScope) =>
  readerRows(db, registered(db).where(isReader(id, scope))).executeTakeFirst()

export const lockReader = (db: Database, id: number, scope: OrganizationScope) =>
  db.selectFrom('reader').select('id').where(isReader(id, scope)).forUpdate().executeTakeFirst()

interface ReaderColumns {
  serial_number: string
  is_lost?: boolean | undefined
  last_activity_at?: Date | null | undefined
  code_master_id?: string | null | undefined
}

/** Returns undefined where the organization has the serial number already. */
export const insertReader = (db: Database, organizationId: number, reader: ReaderColumns, createdBy: string) =>
  db
    .insertInto('reader')
    .values({ organization_id: organizationId, ...reader, created_by: createdBy })
    .onConflict((conflict) => conflict.columns(['organization_id', 'serial_number']).doNothing())
    .returning('id')
    .executeTakeFirst()

export const updateReader = (db: Database, organizationId: number, id: number, reader: ReaderColumns) =>
  db.updateTable('reader').set(reader).where('organization_id', '=', organizationId).where('id', '=', id).execute()

export const deleteReader = (db: Database, organizationId: number, id: number) =>
  db.deleteFrom('reader').where('organization_id', '=', organizationId).where('id', '=', id).execute()

import type { LicenceColumn, LicenceFilter, LicenceSort } from '@lectern/contract/licences/licences.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, instant, integer, read } from '../lib/database/rows.ts'
import { isHostSilent } from '../lib/database/silent.ts'
import { containsPattern } from '../lib/like.ts'

export const selectLicensee = (db: Database, id: number) =>
  db
    .selectFrom('organization')
    .select(['public_id', 'name', 'licence_type_id', 'licence_count'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

export const selectTypes = (db: Database) => db.selectFrom('licence_type').selectAll().orderBy('id').execute()

export const selectType = (db: Database, id: number) => db.selectFrom('licence_type').selectAll().where('id', '=', id).executeTakeFirst()

export const selectByNumber = (db: Database, number: string) =>
  db.selectFrom('licence_owner').select(['licence_id', 'organization_id']).where('licence_number', '=', number).executeTakeFirst()

const issuing = ['issued_by', 'revoked_at', 'revoked_by'] as const

export const selectLicence = (db: Database, organizationId: number, id: string) =>
  db
    .selectFrom('licence')
    .select(['id', 'licence_number', 'type_id', 'serial_numbers', 'purchase_order_number', 'created_at', 'file', ...issuing])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)

export const updateRevoked = (db: Database, organizationId: number, id: string, by: string) =>
  db
    .updateTable('licence')
    .set({ revoked_at: instant(sql`now()`), revoked_by: by })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

export async function countHosts(db: Database, organizationId: number, id: string): Promise<{ all: number; active: number }> {
  const counts = { all: integer(sql`count(*)`), active: integer(sql`count(*) filter (where revoked_at is null)`) }
  const [row] = await read(
    db,
    counts,
    (list) => sql`select ${list} from host where organization_id = ${organizationId} and licence_id = ${id}`,
  )
  return row!
}

export const selectHostPage = (db: Database, organizationId: number, id: string, { offset, size }: { offset: number; size: number }) =>
  db
    .selectFrom('host')
    .leftJoin('zone', (join) => join.on('zone.organization_id', '=', organizationId).onRef('zone.id', '=', 'host.zone_id'))
    .select(['host.public_id', 'host.name', 'zone.public_id as zone_id', 'zone.name as zone_name', 'enrolled_at', 'revoked_at', 'driver'])
    .select(boolean(sql`revoked_at is null and not ${isHostSilent(organizationId, 'host')}`).as('is_online'))
    .where('host.organization_id', '=', organizationId)
    .where('licence_id', '=', id)
    .orderBy('enrolled_at', 'desc')
    .orderBy('host.id', 'desc')
    .offset(offset)
    .limit(size)
    .execute()

interface NewLicence {
  id: string
  organization_id: number
  licence_number: string
  type_id: number
  serial_numbers: string[]
  purchase_order_number: string | null
  file: string | null
  created_at: Date
  issued_by: string | null
}

/** Returns false where the number is taken. */
export async function insertLicence(db: Database, licence: NewLicence): Promise<boolean> {
  const { licence_number, organization_id, id: licence_id } = licence
  const owner = await db
    .insertInto('licence_owner')
    .values({ licence_number, organization_id, licence_id })
    .onConflict((conflict) => conflict.column('licence_number').doNothing())
    .executeTakeFirst()
  if (owner.numInsertedOrUpdatedRows !== 1n) return false
  await db.insertInto('licence').values(licence).execute()
  return true
}

/** `showsNumbers`: texts are looked for in whole licence numbers; else only in the part that `shortenLicenceNumber` shows. */
export type Filter = LicenceFilter & { showsNumbers: boolean }

/** Lower case is the database's, as in the column `search`; JavaScript's differs. Days are UTC. */
function matching(organizationId: number, { textFilter, startDate, endDate, showsNumbers }: Filter): RawBuilder<SqlBool> {
  const words = textFilter.split(/\s+/).filter((word) => word !== '')
  const patterns = words.map((word) => sql`lower(${containsPattern(word)})`)
  const shown = sql`licence_text(right(licence_number, 4), purchase_order_number, serial_numbers)`
  return sql.join(
    [
      sql`organization_id = ${organizationId}`,
      // The index has whole numbers. Where less is shown, it finds too much, and the next condition leaves the rest.
      ...patterns.map((pattern) => sql`search like ${pattern}`),
      ...(showsNumbers ? [] : patterns.map((pattern) => sql`${shown} like ${pattern}`)),
      ...(startDate === undefined ? [] : [sql`created_at >= ${`${startDate}T00:00:00Z`}::timestamptz`]),
      ...(endDate === undefined ? [] : [sql`created_at < ${`${endDate}T00:00:00Z`}::timestamptz + interval '1 day'`]),
    ],
    sql` and `,
  )
}

export async function countLicences(db: Database, organizationId: number, filter: Filter): Promise<number> {
  const { amount } = await db
    .selectFrom('licence')
    .select(integer(sql`count(*)`).as('amount'))
    .where(matching(organizationId, filter))
    .executeTakeFirstOrThrow()
  return amount
}

const sorts: Record<LicenceColumn, { key: 'created_at' | 'licence_number' | 'purchase_order_number'; nullable?: true }> = {
  Date: { key: 'created_at' },
  LicenseNumber: { key: 'licence_number' },
  PurchaseOrderNumber: { key: 'purchase_order_number', nullable: true },
}

interface Page {
  offset: number
  size: number
  total: number
}

// Reads the licences before the page from an index alone, from the nearer end.
export async function selectLicencePage(db: Database, organizationId: number, filter: Filter, sort: LicenceSort, page: Page) {
  const size = Math.min(page.size, page.total - page.offset)
  if (size <= 0) return []
  const fromEnd = page.total - page.offset - size
  const backwards = fromEnd < page.offset
  const { key, nullable } = sorts[sort.ColumnName]
  const column = sql.ref(key)
  const direction = (sort.Direction === 'Descending') !== backwards ? sql`desc` : sql`asc`
  // Licences without a purchase order are last in both directions, so they come first when read from the other end.
  const nulls = nullable ? (backwards ? sql`nulls first` : sql`nulls last`) : sql``
  const rows = await db
    .with('page', (from) =>
      from
        .selectFrom('licence')
        .select(['id', key])
        .where(matching(organizationId, filter))
        .orderBy(sql`${column} ${direction} ${nulls}, id ${direction}`)
        .offset(backwards ? fromEnd : page.offset)
        .limit(size),
    )
    .selectFrom('page')
    .innerJoin('licence', (join) => join.on('licence.organization_id', '=', organizationId).onRef('licence.id', '=', 'page.id'))
    .select([
      'licence.id',
      'licence.licence_number',
      'licence.type_id',
      'licence.serial_numbers',
      'licence.purchase_order_number',
      'licence.created_at',
      ...issuing,
    ])
    .select(boolean(sql`file is not null`).as('has_file'))
    .orderBy(sql`page.${column} ${direction} ${nulls}, page.id ${direction}`)
    .execute()
  return backwards ? rows.reverse() : rows
}

export const updateDefaultType = (db: Database, organizationId: number, typeId: number) =>
  db.updateTable('organization').set({ licence_type_id: typeId }).where('id', '=', organizationId).execute()

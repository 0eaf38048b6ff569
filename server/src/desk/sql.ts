import type { DeskFilter } from '@lectern/contract/desk/desk.ts'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/names.ts'
import { boolean, instant, integer, orNull, type RowOf, read, text } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'

/** `caller` sees what they made, whatever zones they are limited to. */
export interface DeskScope extends ZoneScope {
  caller: string
}

const columns = {
  id: text(sql`r.id`),
  serial_number: text(sql`r.serial_number`),
  typed_model: text(sql`r.typed_model`),
  typed_firmware: text(sql`r.typed_firmware`),
  configuration_id: orNull(text(sql`r.configuration_id`)),
  version: orNull(integer(sql`r.version`)),
  configuration_name: text(sql`r.configuration_name`),
  device: text(sql`r.device`),
  typed_slowly: boolean(sql`r.typed_slowly`),
  typed_at: instant(sql`r.typed_at`),
  browser: text(sql`r.browser`),
  size: integer(sql`octet_length(r.typed)`),
  created_at: instant(sql`r.created_at`),
  created_by: personName('maker'),
  withdrawn_at: orNull(instant(sql`r.withdrawn_at`)),
  withdrawn_by: personName('withdrawer'),
  reason: orNull(text(sql`r.reason`)),
}
export type RecordRow = RowOf<typeof columns>

const whole = { ...columns, commands: text(sql`r.commands`), typed: text(sql`r.typed`), maker_id: text(sql`r.created_by`) }
export type WholeRow = RowOf<typeof whole>

const isSeen = ({ organizationId, zones, caller }: DeskScope) =>
  zones === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(r.created_by = ${caller} or exists (
        select from device d where d.organization_id = ${organizationId} and d.serial_number = r.serial_number and ${isInZones({ zones }, sql`d.zone_id`)}))`

const found = (scope: DeskScope, { serialNumber, configuration }: DeskFilter) => sql`
  desk_record r where r.organization_id = ${scope.organizationId} and ${isSeen(scope)}
    ${serialNumber === undefined ? sql`` : sql`and r.serial_number = ${serialNumber}`}
    ${configuration === undefined ? sql`` : sql`and r.configuration_id = ${configuration}`}`

const people = sql`left join "user" maker on maker.id = r.created_by left join "user" withdrawer on withdrawer.id = r.withdrawn_by`

export async function countRecords(db: Database, scope: DeskScope, filter: DeskFilter): Promise<number> {
  const [row] = await read(db, { amount: integer(sql`count(*)`) }, (list) => sql`select ${list} from ${found(scope, filter)}`)
  return row!.amount
}

const lastFirst = sql`order by r.created_at desc, r.id desc`

export const selectRecords = (db: Database, scope: DeskScope, filter: DeskFilter, page: { offset: number; size: number }) =>
  read(
    db,
    columns,
    (list) => sql`
      select ${list} from (select r.* from ${found(scope, filter)} ${lastFirst} offset ${page.offset} limit ${page.size}) r ${people} ${lastFirst}`,
  )

export async function selectRecord(db: Database, scope: DeskScope, id: string): Promise<WholeRow | undefined> {
  const [row] = await read(db, whole, (list) => sql`select ${list} from (select r.* from ${found(scope, {})} and r.id = ${id}) r ${people}`)
  return row
}

export const lockRecord = (db: Database, organizationId: number, id: string) =>
  db
    .selectFrom('desk_record')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

interface RecordColumns {
  organization_id: number
  id: string
  serial_number: string
  typed_model: string
  typed_firmware: string
  configuration_id: string | null
  version: number | null
  configuration_name: string
  device: string
  commands: string
  typed: string
  typed_slowly: boolean
  typed_at: Date
  browser: string
  created_by: string
}

/** Returns undefined where the organization has a record with this id already. */
export const insertRecord = (db: Database, record: RecordColumns) =>
  db
    .insertInto('desk_record')
    .values(record)
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()

export const withdraw = (db: Database, organizationId: number, id: string, userId: string, reason: string) =>
  db
    .updateTable('desk_record')
    .set({ withdrawn_at: sql`now()`, withdrawn_by: userId, reason })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

const at = (user: string) => sql`'typed by the reader at ' || coalesce(${personName(user)} || '’s', 'an unknown person’s') || ' desk'`

export const cells = {
  'Serial Number': sql`r.serial_number`,
  Evidence: at('maker'),
  'Typed at': sql`r.typed_at`,
  Configuration: sql`r.configuration_name`,
  Version: sql`r.version`,
  'Configuration for': sql`r.device`,
  'Typed as model': sql`r.typed_model`,
  'Typed as firmware': sql`r.typed_firmware`,
  'Typed slowly': sql`case when r.typed_slowly then 'Yes' end`,
  Browser: sql`r.browser`,
  'Kept at': sql`r.created_at`,
  'Withdrawn at': sql`r.withdrawn_at`,
  Reason: sql`r.reason`,
}

export const selectCells = (db: Database, scope: DeskScope, filter: DeskFilter) =>
  sql`select ${sql.join(Object.values(cells))} from (select r.* from ${found(scope, filter)}) r ${people} ${lastFirst}`.compile(db)

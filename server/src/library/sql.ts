import { deletedDays, type SavedKind } from '@lectern/contract/library.ts'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/names.ts'
import { instant, integer, orNull, type RowOf, read, statement, text } from '../lib/database/rows.ts'
import { containsPattern } from '../lib/like.ts'

export interface StoredContent {
  kind: SavedKind
  file_name: string | null
  content: string
  content_hash: string
  size: number
}

const entryColumns = {
  id: text(sql`e.id`),
  name: text(sql`e.name`),
  device: text(sql`e.device`),
  note: text(sql`e.note`),
  version: integer(sql`e.version`),
  created_at: instant(sql`e.created_at`),
  created_by: orNull(text(sql`e.created_by`)),
}

const versionColumns = {
  number: integer(sql`v.number`),
  kind: text<SavedKind>(sql`v.kind`),
  file_name: orNull(text(sql`v.file_name`)),
  content_hash: text(sql`v.content_hash`),
  size: integer(sql`v.size`),
  saved_at: instant(sql`v.created_at`),
  saved_by: personName('u'),
}

const content = { content: text(sql`v.content`) }

export type EntryRow = RowOf<typeof entryColumns> & RowOf<typeof versionColumns>
export type VersionRow = RowOf<typeof versionColumns>

const versions = (organizationId: number, ofEntry: RawBuilder<unknown>) => sql`
  saved_version v
  join saved_configuration e on e.organization_id = v.organization_id and e.id = v.configuration_id and e.deleted_at is null
  left join "user" u on u.id = v.created_by
  where v.organization_id = ${organizationId} and v.configuration_id = ${ofEntry}`

const newest = (organizationId: number) => sql`
  from saved_configuration e
  join saved_version v on v.organization_id = ${organizationId} and v.configuration_id = e.id and v.number = e.version
  left join "user" u on u.id = v.created_by
  where e.organization_id = ${organizationId} and e.deleted_at is null`

/** A word of a search, and the beginnings of the commands of options whose names have it. */
export interface SoughtWord {
  word: string
  commands: readonly string[]
}

const has = ({ word, commands }: SoughtWord) => sql`(
  lower(e.name) like lower(${containsPattern(word)}) or lower(e.note) like lower(${containsPattern(word)}) or lower(e.device) like lower(${containsPattern(word)})
  or e.id in (
    select f.configuration_id from saved_version f
    where f.organization_id = e.organization_id and f.number = e.version and (${sql.join(
      [word, ...commands].map((one) => sql`lower(f.content) like lower(${containsPattern(one)})`),
      sql` or `,
    )})))`

export const selectEntries = (db: Database, organizationId: number, words: readonly SoughtWord[]): Promise<EntryRow[]> =>
  read(
    db,
    { ...entryColumns, ...versionColumns },
    (list) => sql`
      select ${list} ${newest(organizationId)} ${sql.join(
        words.map((word) => sql`and ${has(word)}`),
        sql` `,
      )} order by e.created_at desc, e.id`,
  )

export const selectCommandLists = (organizationId: number) =>
  statement(
    { ...entryColumns, ...content },
    (list) => sql`select ${list} ${newest(organizationId)} and v.kind = 'commands' order by e.created_at desc, e.id`,
  )

export async function selectEntry(db: Database, organizationId: number, id: string): Promise<EntryRow | undefined> {
  const [row] = await read(
    db,
    { ...entryColumns, ...versionColumns },
    (list) => sql`select ${list} ${newest(organizationId)} and e.id = ${id}`,
  )
  return row
}

export const selectVersions = (db: Database, organizationId: number, id: string): Promise<VersionRow[]> =>
  read(db, versionColumns, (list) => sql`select ${list} from ${versions(organizationId, sql`${id}`)} order by v.number desc`)

export async function selectVersion(db: Database, organizationId: number, id: string, number: number) {
  const [row] = await read(
    db,
    { ...versionColumns, ...content },
    (list) => sql`select ${list} from ${versions(organizationId, sql`${id}`)} and v.number = ${number}`,
  )
  return row
}

const lockOne = (db: Database, organizationId: number) =>
  db
    .selectFrom('saved_configuration')
    .select(['id', 'name', 'device', 'note', 'version', 'created_by'])
    .where('organization_id', '=', organizationId)
    .forUpdate()

/** Keeps others from changing or deleting the entry until the transaction ends. */
export const lockEntry = (db: Database, organizationId: number, id: string) =>
  lockOne(db, organizationId).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()

export const lockNamed = (db: Database, organizationId: number, device: string, name: string) =>
  lockOne(db, organizationId).where('device', '=', device).where('name', '=', name).where('deleted_at', 'is', null).executeTakeFirst()

const isRecentlyDeleted = sql<boolean>`deleted_at > now() - make_interval(days => ${deletedDays})`

export const lockDeleted = (db: Database, organizationId: number, id: string) =>
  lockOne(db, organizationId).where('id', '=', id).where(isRecentlyDeleted).executeTakeFirst()

const deletedColumns = {
  id: text(sql`id`),
  name: text(sql`name`),
  device: text(sql`device`),
  version: integer(sql`version`),
  deleted_at: instant(sql`deleted_at`),
  deleted_by: orNull(text(sql`(select ${personName('u')} from "user" u where u.id = e.deleted_by)`)),
}

/** @param maker null: entries of all makers */
export const selectDeleted = (db: Database, organizationId: number, maker: string | null) =>
  read(
    db,
    deletedColumns,
    (list) => sql`
      select ${list} from saved_configuration e
      where e.organization_id = ${organizationId} and ${isRecentlyDeleted} ${maker === null ? sql`` : sql`and e.created_by = ${maker}`}
      order by e.deleted_at desc, e.id limit 1000`,
  )

/** Returns null where the organization has an entry of this name for the device. */
export async function insertEntry(
  db: Database,
  entry: { organization_id: number; device: string; name: string; note: string; created_by: string },
): Promise<string | null> {
  const inserted = await db
    .insertInto('saved_configuration')
    .values({ id: uuidv7(), ...entry })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? null
}

export async function insertVersion(
  db: Database,
  { organizationId, id, number, userId }: { organizationId: number; id: string; number: number; userId: string },
  stored: StoredContent,
): Promise<void> {
  const key = { organization_id: organizationId, configuration_id: id, number }
  await db
    .insertInto('saved_version')
    .values({ ...key, ...stored, created_by: userId })
    .execute()
  await db
    .updateTable('saved_configuration')
    .set({ version: number })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

export const updateEntry = (db: Database, organizationId: number, id: string, input: { name: string; note: string }) =>
  db.updateTable('saved_configuration').set(input).where('organization_id', '=', organizationId).where('id', '=', id).execute()

export const markDeleted = (db: Database, organizationId: number, id: string, userId: string) =>
  db
    .updateTable('saved_configuration')
    .set({ deleted_at: sql`now()`, deleted_by: userId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

export const restoreEntry = (db: Database, organizationId: number, id: string, name: string) =>
  db
    .updateTable('saved_configuration')
    .set({ deleted_at: null, deleted_by: null, name })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

export async function isNameTaken(db: Database, organizationId: number, device: string, name: string): Promise<boolean> {
  const taken = await db
    .selectFrom('saved_configuration')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('device', '=', device)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return taken !== undefined
}

export const clearMaker = (db: Database, organizationId: number, userId: string) =>
  db
    .updateTable('saved_configuration')
    .set({ created_by: null })
    .where('organization_id', '=', organizationId)
    .where('created_by', '=', userId)
    .execute()

import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isLike } from '../lib/database/names.ts'
import { bigints, integer, orNull, read } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { containsPattern, lettersOfTrigram } from '../lib/like.ts'

/** A word of a search, and where it occurs: ids of zones, hosts and readers by serial number. Null: asked for anew, as many or not looked up. */
export interface Word {
  pattern: string
  models: readonly string[]
  zones: readonly number[] | null
  hosts: readonly number[] | null
  readers: readonly number[] | null
}

const mostListed = { zone: 1_000, host: 1_000, device: 200 }

export const splitWords = (text: string): Word[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => ({
      pattern: containsPattern(word),
      models: deviceModels.filter((model) => model.toLowerCase().includes(word.toLowerCase())),
      ...{ zones: null, hosts: null, readers: null },
    }))

const hasTrigram = ({ pattern }: Word) => pattern.length >= lettersOfTrigram + 2

type Table = keyof typeof mostListed

const having = (table: Table, organizationId: number, word: Word) =>
  sql`select id from ${sql.table(table)} where organization_id = ${organizationId} and ${isLike(table === 'device' ? sql`serial_number` : sql`name`, word.pattern)}`

const wordColumns = { zones: bigints(sql`zones`), hosts: bigints(sql`hosts`), readers: orNull(bigints(sql`readers`)) }

export async function selectWords(db: Database, organizationId: number, text: string): Promise<Word[]> {
  const words = splitWords(text)
  const asked = words.map((word) => {
    const ids = (table: Table) => sql`array(${having(table, organizationId, word)} limit ${sql.lit(mostListed[table] + 1)})`
    // Of other words, the page itself looks through serial numbers.
    const hasPlace = word.models.length > 0 ? sql`true` : sql`cardinality(zones) > 0`
    const readers = hasTrigram(word) ? sql`case when ${hasPlace} then ${ids('device')} end` : sql`null::bigint[]`
    return sql`select zones, hosts, ${readers} as readers from (select ${ids('zone')} as zones, ${ids('host')} as hosts offset 0) places`
  })
  const rows = await read(db, wordColumns, (list) => sql`select ${list} from (${sql.join(asked, sql` union all `)}) found`)
  const unlessMany = (table: Table, ids: number[] | null) => (ids === null || ids.length > mostListed[table] ? null : ids)
  return words.map((word, index) => {
    const { zones, hosts, readers } = rows[index]!
    return { ...word, zones: unlessMany('zone', zones), hosts: unlessMany('host', hosts), readers: unlessMany('device', readers) }
  })
}

const isOneOf = (column: RawBuilder<unknown>, ids: readonly number[] | null, anew: RawBuilder<boolean>): RawBuilder<boolean>[] => {
  if (ids === null) return [anew]
  return ids.length === 0 ? [] : [sql`${column} = any(${ids}::bigint[])`]
}

const any = (parts: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` or `)})`

const isPlace = (organizationId: number, word: Word, alias: string): RawBuilder<boolean>[] => [
  ...(word.models.length === 0 ? [] : [sql<boolean>`${sql.ref(`${alias}.device_type`)} = any(${word.models}::device_model[])`]),
  ...isOneOf(sql.ref(`${alias}.zone_id`), word.zones, sql`${sql.ref(`${alias}.zone_id`)} in (${having('zone', organizationId, word)})`),
]

const isElsewhere = (organizationId: number, word: Word): RawBuilder<boolean>[] => [
  ...isOneOf(sql`d.host_id`, word.hosts, sql`d.host_id in (${having('host', organizationId, word)})`),
  ...isOneOf(sql`d.id`, word.readers, isLike(sql`d.serial_number`, word.pattern)),
]

export const hasWord = (organizationId: number, word: Word): RawBuilder<boolean> =>
  any([...isPlace(organizationId, word, 'd'), ...isElsewhere(organizationId, word)])

const isInPlace = ({ models, zones }: Word) => models.length > 0 || zones?.length !== 0

// Whether most that are found are in the stored counts, and an index finds the others.
export const areCounted = (words: readonly Word[]): boolean => words.every((word) => isInPlace(word) && hasTrigram(word))

// Whether an index finds those that have some word.
export const areIndexed = (words: readonly Word[]): boolean =>
  words.some((word) => !isInPlace(word) && word.hosts !== null && hasTrigram(word))

/** Of readers that have all words, those that the stored counts lack, as a host or serial number has some word. Undefined where none can. */
export function areUncounted(organizationId: number, words: readonly Word[]): RawBuilder<boolean>[] | undefined {
  const elsewhere = words.flatMap((word) => isElsewhere(organizationId, word))
  const inPlaces = words.map((word) => any(isPlace(organizationId, word, 'd')))
  return elsewhere.length === 0 ? undefined : [any(elsewhere), sql`(${sql.join(inPlaces, sql` and `)}) is not true`]
}

/** Counts the readers that have all words by their zones and models, from the stored counts. */
export async function countPlaces(
  db: Database,
  scope: ZoneScope,
  words: readonly Word[],
  column: 'total' | 'offline' | 'low_battery' | 'warranty_due' | 'drifted',
): Promise<number> {
  const { organizationId } = scope
  const conditions = [isInZones(scope, sql`c.zone_id`), ...words.map((word) => any(isPlace(organizationId, word, 'c')))]
  const [row] = await read(
    db,
    { count: integer(sql`coalesce(sum(${sql.ref(`c.${column}`)}), 0)`) },
    (list) => sql`
      select ${list} from device_count c where c.organization_id = ${organizationId} and ${sql.join(conditions, sql` and `)}`,
  )
  return row?.count ?? 0
}

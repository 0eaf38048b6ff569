import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isLike } from '../lib/database/names.ts'
import { bigint, bigints, integer, orNull, read } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { containsPattern } from '../lib/like.ts'

/**
 * A word of a search, and where it occurs: ids of zones, of hosts, and of readers by serial number. Null: not looked up, or too many to
 * keep.
 */
export interface Word {
  pattern: string
  models: readonly string[]
  zones: readonly number[] | null
  hosts: readonly number[] | null
  readers: readonly number[] | null
}

// Up to so many ids an index is asked for them one by one. An organization may have 10,000 zones and host PCs.
const mostAsked = 1_000
const mostListed = { zone: 10_000, host: 10_000, device: 200 }

/** Leaves out words that are inside another one: whatever has the longer one has them too. */
export const splitWords = (text: string): Word[] => {
  const words = [...new Set(text.toLowerCase().split(/\s+/))].filter((word) => word !== '')
  return words
    .filter((word) => !words.some((other) => other !== word && other.includes(word)))
    .map((word) => ({
      pattern: containsPattern(word),
      models: deviceModels.filter((model) => model.toLowerCase().includes(word)),
      zones: null,
      hosts: null,
      readers: null,
    }))
}

// Whether an index of trigrams can find it: it has three letters or digits in a row. Other characters are in no trigram.
const hasTrigram = ({ pattern }: Word) => /[\p{L}\p{N}]{3}/u.test(pattern)

type Table = keyof typeof mostListed

const having = (table: Table, organizationId: number, word: Word) =>
  sql`select id from ${sql.table(table)} where organization_id = ${organizationId} and ${isLike(table === 'device' ? sql`serial_number` : sql`name`, word.pattern)}`

const wordColumns = { zones: bigints(sql`zones`), hosts: bigints(sql`hosts`), readers: orNull(bigints(sql`readers`)) }

/** Ids of the zones or host PCs whose name has a word. All words are looked for in one pass, as no index finds one or two letters. */
const selectNamed = (organizationId: number, words: readonly Word[], table: 'zone' | 'host') => {
  const patterns = words.map((word) => word.pattern)
  return sql`(
    select (array_agg(place.id))[1:${sql.lit(mostListed[table] + 1)}] as ids, place.number
    from (select named.id, asked.number
      from (select id, lower(name collate "default") as name from ${sql.table(table)} where organization_id = ${organizationId} offset 0) named
      join unnest(${patterns}::text[]) with ordinality as asked (pattern, number) on named.name like lower(asked.pattern)) place
    group by place.number)`
}

export async function selectWords(db: Database, organizationId: number, text: string): Promise<Word[]> {
  const words = splitWords(text)
  const readersOf = words.map((word, index) => {
    // For words in no model's or zone's name the page itself looks through serial numbers.
    const hasPlace = word.models.length > 0 ? sql`true` : sql`cardinality(zones) > 0`
    const ids = sql`array(${having('device', organizationId, word)} limit ${sql.lit(mostListed.device + 1)})`
    return hasTrigram(word) ? sql`when ${sql.lit(index + 1)} then case when ${hasPlace} then ${ids} end` : sql``
  })
  const readers = words.some(hasTrigram) ? sql`case word.number ${sql.join(readersOf, sql` `)} end` : sql`null::bigint[]`
  const rows = await read(
    db,
    wordColumns,
    (list) => sql`
      select ${list} from (
        select word.number, zones, hosts, ${readers} as readers from (
          select number, coalesce(zone.ids, '{}') as zones, coalesce(host.ids, '{}') as hosts
          from generate_series(1, ${sql.lit(words.length)}) number
          left join ${selectNamed(organizationId, words, 'zone')} zone using (number)
          left join ${selectNamed(organizationId, words, 'host')} host using (number)
          offset 0
        ) word
      ) found order by number`,
  )
  const unlessMany = (table: Table, ids: number[] | null) => (ids === null || ids.length > mostListed[table] ? null : ids)
  return words.map((word, index) => {
    const { zones, hosts, readers } = rows[index]!
    return { ...word, zones: unlessMany('zone', zones), hosts: unlessMany('host', hosts), readers: unlessMany('device', readers) }
  })
}

const isOneOf = (column: RawBuilder<unknown>, ids: readonly number[] | null, anew: RawBuilder<boolean>): RawBuilder<boolean>[] => {
  if (ids === null) return [anew]
  if (ids.length === 0) return []
  const isOne = sql<boolean>`${column} = any(${ids}::bigint[])`
  // `is true` keeps PostgreSQL from asking an index for thousands of ids one by one, which costs more than it saves.
  return [ids.length > mostAsked ? sql`(${isOne}) is true` : isOne]
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

// Whether the stored counts have most of what is found, and an index finds the rest.
export const areCounted = (words: readonly Word[]): boolean => words.every((word) => isInPlace(word) && hasTrigram(word))

// Whether an index finds the readers of at least one word.
export const areIndexed = (words: readonly Word[]): boolean =>
  words.some((word) => !isInPlace(word) && word.hosts !== null && word.hosts.length <= mostAsked && hasTrigram(word))

/**
 * Where a word occurs in serial numbers alone: returns the words, this one with its readers, which an index finds without reading any of
 * them. Undefined where no word does, or more than `most` readers have it.
 */
export async function listSerials(db: Database, organizationId: number, words: readonly Word[], most: number): Promise<Word[] | undefined> {
  const rare = words.find((word) => !isInPlace(word) && word.hosts?.length === 0)
  if (!rare) return undefined
  const rows = await read(
    db,
    { id: bigint(sql`id`) },
    (list) => sql`
      select ${list} from (select id, serial_number from device where organization_id = ${organizationId} order by serial_number offset 0) found
      where ${isLike(sql`serial_number`, rare.pattern)} limit ${sql.lit(most + 1)}`,
  )
  return rows.length > most ? undefined : words.map((word) => (word === rare ? { ...word, readers: rows.map(({ id }) => id) } : word))
}

/**
 * SQL: readers that have all words and that the stored counts lack, as their host or serial number has one. Undefined where none can be.
 */
export function areUncounted(organizationId: number, words: readonly Word[]): RawBuilder<boolean>[] | undefined {
  const elsewhere = words.flatMap((word) => isElsewhere(organizationId, word))
  const inPlaces = words.map((word) => any(isPlace(organizationId, word, 'd')))
  return elsewhere.length === 0 ? undefined : [any(elsewhere), sql`(${sql.join(inPlaces, sql` and `)}) is not true`]
}

/** Counts readers that have all words, by zone and model, from the stored counts. */
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

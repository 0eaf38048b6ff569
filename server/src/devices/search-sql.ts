import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isLike } from '../lib/database/names.ts'
import { bigint, bigints, integer, orNull, read } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { containsPattern } from '../lib/like.ts'

/** A word of a search, and where it occurs: ids of zones, hosts and readers by serial number. Null: asked for anew, as many or not looked up. */
export interface Word {
  pattern: string
  models: readonly string[]
  zones: readonly number[] | null
  hosts: readonly number[] | null
  readers: readonly number[] | null
}

// An organization may have 10,000 zones and host PCs.
const mostAsked = 1_000
const mostListed = { zone: 10_000, host: 10_000, device: 200 }

/** Without words that are in another one: whoever has that has them too. */
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

// Of three letters or digits in a row; other characters are in none.
const hasTrigram = ({ pattern }: Word) => /[\p{L}\p{N}]{3}/u.test(pattern)

type Table = keyof typeof mostListed

const having = (table: Table, organizationId: number, word: Word) =>
  sql`select id from ${sql.table(table)} where organization_id = ${organizationId} and ${isLike(table === 'device' ? sql`serial_number` : sql`name`, word.pattern)}`

const wordColumns = { zones: bigints(sql`zones`), hosts: bigints(sql`hosts`), readers: orNull(bigints(sql`readers`)) }

/** Ids of the zones or host PCs that have a word in their name, for all words in one pass: no index finds one or two letters. */
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
    // Of other words, the page itself looks through serial numbers.
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
  // An index that is asked for thousands one by one costs more than it saves.
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

// Whether most that are found are in the stored counts, and an index finds the others.
export const areCounted = (words: readonly Word[]): boolean => words.every((word) => isInPlace(word) && hasTrigram(word))

// Whether an index finds those that have some word.
export const areIndexed = (words: readonly Word[]): boolean =>
  words.some((word) => !isInPlace(word) && word.hosts !== null && word.hosts.length <= mostAsked && hasTrigram(word))

/**
 * Where some word is in serial numbers alone: the words, with the readers of it, which an index of serial numbers finds without reading one of them.
 * Undefined where there is none, or more readers than `most` have it.
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

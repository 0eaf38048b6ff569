import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { bigints, integer, orNull, read } from '../lib/database/rows.ts'
import { containsPattern } from '../lib/like.ts'

/** A word of a search, and where it occurs: ids of zones, hosts and readers by serial number. Null: asked for anew, as many or not looked up. */
export interface Word {
  pattern: string
  models: readonly string[]
  zones: readonly number[] | null
  hosts: readonly number[] | null
  readers: readonly number[] | null
}

const mostListed = { zone: 1_000, host: 1_000, device: 200 }
const lettersOfTrigram = 3

export const splitWords = (text: string): Word[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => ({
      pattern: containsPattern(word),
      models: deviceModels.filter((model) => model.toLowerCase().includes(word.toLowerCase())),
      ...{ zones: null, hosts: null, readers: null },
    }))

const isLike = (column: RawBuilder<unknown>, { pattern }: Word) => sql<boolean>`lower(${column} collate "default") like lower(${pattern})`

type Table = keyof typeof mostListed

const having = (table: Table, organizationId: number, word: Word) =>
  sql`select id from ${sql.table(table)} where organization_id = ${organizationId} and ${isLike(table === 'device' ? sql`serial_number` : sql`name`, word)}`

const wordColumns = { zones: bigints(sql`zones`), hosts: bigints(sql`hosts`), readers: orNull(bigints(sql`readers`)) }

export async function selectWords(db: Database, organizationId: number, text: string): Promise<Word[]> {
  const words = splitWords(text)
  const asked = words.map((word) => {
    const ids = (table: Table) => sql`array(${having(table, organizationId, word)} limit ${sql.lit(mostListed[table] + 1)})`
    const readers = word.pattern.length < lettersOfTrigram + 2 ? sql`null::bigint[]` : ids('device')
    return sql`select ${ids('zone')} as zones, ${ids('host')} as hosts, ${readers} as readers`
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

export const hasWord = (organizationId: number, word: Word): RawBuilder<boolean> =>
  any([
    ...isPlace(organizationId, word, 'd'),
    ...isOneOf(sql`d.host_id`, word.hosts, sql`d.host_id in (${having('host', organizationId, word)})`),
    ...isOneOf(sql`d.id`, word.readers, isLike(sql`d.serial_number`, word)),
  ])

// Whether some word occurs in serial numbers alone, and in few of them.
export const areFew = (words: readonly Word[]): boolean =>
  words.some(({ models, zones, hosts, readers }) => readers !== null && models.length + (zones ?? [0]).length + (hosts ?? [0]).length === 0)

/** Counts the readers that have all words from the stored counts, where only zones and models have them; otherwise returns undefined. */
export async function countPlaces(
  db: Database,
  organizationId: number,
  words: readonly Word[],
  column: 'total' | 'offline' | 'low_battery' | 'warranty_due' | 'drifted',
): Promise<number | undefined> {
  if (words.some(({ readers, hosts }) => readers?.length !== 0 || hosts?.length !== 0)) return undefined
  const conditions = words.map((word) => any(isPlace(organizationId, word, 'c')))
  const [row] = await read(
    db,
    { count: integer(sql`coalesce(sum(${sql.ref(`c.${column}`)}), 0)`) },
    (list) => sql`
      select ${list} from device_count c where c.organization_id = ${organizationId} and ${sql.join(conditions, sql` and `)}`,
  )
  return row?.count ?? 0
}

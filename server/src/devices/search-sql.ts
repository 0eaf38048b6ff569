import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { containsPattern } from '../lib/like.ts'

/** A word of a search, and where it occurs. Zones and hosts are null where they are asked for anew, as they are many or not looked up. */
export interface Word {
  pattern: string
  models: readonly string[]
  zones: readonly number[] | null
  hosts: readonly number[] | null
  inSerials: boolean
}

const mostListed = 1_000
const lettersOfTrigram = 3

export const splitWords = (text: string): Word[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => ({
      pattern: containsPattern(word),
      models: deviceModels.filter((model) => model.toLowerCase().includes(word.toLowerCase())),
      ...{ zones: null, hosts: null, inSerials: true },
    }))

const isLike = (column: RawBuilder<unknown>, { pattern }: Word) => sql<boolean>`lower(${column} collate "default") like lower(${pattern})`

const named = (table: 'zone' | 'host', organizationId: number, word: Word) =>
  sql`select id from ${sql.table(table)} where organization_id = ${organizationId} and ${isLike(sql`name`, word)}`

export async function selectWords(db: Database, organizationId: number, text: string): Promise<Word[]> {
  const words = splitWords(text)
  const asked = words.map((word) => {
    const inSerials =
      word.pattern.length < lettersOfTrigram + 2
        ? sql`true`
        : sql`exists (select from device where organization_id = ${organizationId} and ${isLike(sql`serial_number`, word)})`
    const list = (table: 'zone' | 'host') => sql`array(${named(table, organizationId, word)} limit ${sql.lit(mostListed + 1)})`
    return sql`select ${list('zone')} as zones, ${list('host')} as hosts, ${inSerials} as in_serials`
  })
  const { rows } = await sql<{ zones: number[]; hosts: number[]; in_serials: boolean }>`${sql.join(asked, sql` union all `)}`.execute(db)
  const unlessMany = (ids: number[]) => (ids.length > mostListed ? null : ids)
  return words.map((word, index) => {
    const { zones, hosts, in_serials } = rows[index]!
    return { ...word, zones: unlessMany(zones), hosts: unlessMany(hosts), inSerials: in_serials }
  })
}

const isOneOf = (column: RawBuilder<unknown>, ids: readonly number[] | null, anew: RawBuilder<unknown>): RawBuilder<boolean>[] => {
  if (ids === null) return [sql`${column} in (${anew})`]
  return ids.length === 0 ? [] : [sql`${column} = any(${ids}::int[])`]
}

const any = (parts: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` or `)})`

const isPlace = (organizationId: number, word: Word, alias: string): RawBuilder<boolean>[] => [
  ...(word.models.length === 0 ? [] : [sql<boolean>`${sql.ref(`${alias}.device_type`)} = any(${word.models}::device_model[])`]),
  ...isOneOf(sql.ref(`${alias}.zone_id`), word.zones, named('zone', organizationId, word)),
]

export const hasWord = (organizationId: number, word: Word): RawBuilder<boolean> =>
  any([
    ...isPlace(organizationId, word, 'd'),
    ...isOneOf(sql`d.host_id`, word.hosts, named('host', organizationId, word)),
    ...(word.inSerials ? [isLike(sql`d.serial_number`, word)] : []),
  ])

/** Counts the readers that have all words from the stored counts, where only zones and models have them; otherwise returns undefined. */
export async function countPlaces(
  db: Database,
  organizationId: number,
  words: readonly Word[],
  column: 'total' | 'offline' | 'low_battery' | 'warranty_due' | 'drifted',
): Promise<number | undefined> {
  if (words.some(({ inSerials, hosts }) => inSerials || hosts === null || hosts.length > 0)) return undefined
  const conditions = words.map((word) => any(isPlace(organizationId, word, 'c')))
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(${sql.ref(`c.${column}`)}), 0)::int as count from device_count c
    where c.organization_id = ${organizationId} and ${sql.join(conditions, sql` and `)}`.execute(db)
  return rows[0]?.count ?? 0
}

import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../lib/database/database.ts'
import { findOrigin } from '../lib/database/organization.ts'
import { integer, orNull, type RowOf, read, text } from '../lib/database/rows.ts'

const mostKnown = 50_000
const known = new WeakMap<Database, LRUCache<string, string>>()

export const namedIds = {
  zone_id: orNull(integer(sql`d.zone_id`)),
  firmware_id: orNull(integer(sql`d.firmware_id`)),
  configuration_id: orNull(integer(sql`d.configuration_id`)),
}
type Ids = RowOf<typeof namedIds>

// Where the names of ids are.
const sources: Record<keyof Ids, { table: RawBuilder<unknown>; name: RawBuilder<unknown> }> = {
  zone_id: { table: sql`zone`, name: sql`name` },
  firmware_id: { table: sql`reported_firmware`, name: sql`version` },
  configuration_id: { table: sql`reported_configuration`, name: sql`label` },
}
const kinds = Object.keys(sources) as (keyof Ids)[]

interface Names {
  zone_name: string | null
  current_firmware: string | null
  current_config: string | null
}

/** Adds the names of zone, firmware and configuration. What an id names never changes, so a server looks each up once. */
export async function addNames<Row extends Ids>(db: Database, organizationId: number, rows: readonly Row[]): Promise<(Row & Names)[]> {
  const origin = findOrigin(db)
  const remembered = known.get(origin) ?? new LRUCache<string, string>({ max: mostKnown })
  known.set(origin, remembered)
  const toKey = (kind: keyof Ids, id: number) => `${organizationId} ${kind} ${id}`
  // While the others are looked up, those that were remembered may be forgotten.
  const names = new Map<string, string>()
  const asked = new Map(kinds.map((kind) => [kind, new Set<number>()]))
  for (const row of rows)
    for (const kind of kinds) {
      const id = row[kind]
      if (id === null) continue
      const name = remembered.get(toKey(kind, id))
      if (name === undefined) asked.get(kind)!.add(id)
      else names.set(toKey(kind, id), name)
    }
  for (const { kind, id, name } of await selectNames(db, organizationId, asked)) {
    names.set(toKey(kind, id), name)
    remembered.set(toKey(kind, id), name)
  }
  const findName = (kind: keyof Ids, id: number | null) => (id === null ? null : (names.get(toKey(kind, id)) ?? null))
  return rows.map((row) => ({
    ...row,
    zone_name: findName('zone_id', row.zone_id),
    current_firmware: findName('firmware_id', row.firmware_id),
    current_config: findName('configuration_id', row.configuration_id),
  }))
}

async function selectNames(db: Database, organizationId: number, asked: ReadonlyMap<keyof Ids, ReadonlySet<number>>) {
  const selects = [...asked]
    .filter(([, ids]) => ids.size > 0)
    .map(([kind, ids]) => {
      const { table, name } = sources[kind]
      return sql`select ${kind}::text as kind, id, ${name} as name from ${table} where organization_id = ${organizationId} and id = any(${[...ids]}::int[])`
    })
  if (selects.length === 0) return []
  return read(
    db,
    { kind: text<keyof Ids>(sql`kind`), id: integer(sql`id`), name: text(sql`name`) },
    (list) => sql`select ${list} from (${sql.join(selects, sql` union all `)}) named`,
  )
}

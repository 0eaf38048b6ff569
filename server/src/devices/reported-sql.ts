import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../lib/database/database.ts'
import { findOrigin } from '../lib/database/organization.ts'
import { boolean, integer, orNull, type RowOf, read, text } from '../lib/database/rows.ts'

const mostKnown = 10_000
const known = new WeakMap<Database, LRUCache<string, string>>()

export const reportedIds = {
  firmware_id: orNull(integer(sql`d.firmware_id`)),
  configuration_id: orNull(integer(sql`d.configuration_id`)),
}

interface Names {
  current_firmware: string | null
  current_config: string | null
}

const isNumber = (id: number | null): id is number => id !== null

/** Adds the names of firmware and configuration. A number's name never changes, so a server looks each up once. */
export async function nameReported<Row extends RowOf<typeof reportedIds>>(
  db: Database,
  organizationId: number,
  rows: readonly Row[],
): Promise<(Row & Names)[]> {
  const origin = findOrigin(db)
  const names = known.get(origin) ?? new LRUCache<string, string>({ max: mostKnown })
  known.set(origin, names)
  const firmwareKey = (id: number) => `${organizationId} firmware ${id}`
  const configurationKey = (id: number) => `${organizationId} configuration ${id}`
  const firmware = rows.map((row) => row.firmware_id).filter(isNumber)
  const configurations = rows.map((row) => row.configuration_id).filter(isNumber)
  if (!firmware.every((id) => names.has(firmwareKey(id))) || !configurations.every((id) => names.has(configurationKey(id)))) {
    const found = await read(
      db,
      { is_firmware: boolean(sql`is_firmware`), id: integer(sql`id`), name: text(sql`name`) },
      (list) => sql`
        select ${list} from (
          select true as is_firmware, id, version as name from reported_firmware where organization_id = ${organizationId} and id = any(${firmware}::int[])
          union all
          select false, id, label from reported_configuration where organization_id = ${organizationId} and id = any(${configurations}::int[])
        ) reported`,
    )
    for (const { is_firmware, id, name } of found) names.set(is_firmware ? firmwareKey(id) : configurationKey(id), name)
  }
  const findName = (key: (id: number) => string, id: number | null) => (id === null ? null : (names.get(key(id)) ?? null))
  return rows.map((row) => ({
    ...row,
    current_firmware: findName(firmwareKey, row.firmware_id),
    current_config: findName(configurationKey, row.configuration_id),
  }))
}

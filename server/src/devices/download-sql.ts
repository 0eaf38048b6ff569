import { sql } from 'kysely'
import { asInstant, asText, createCsvFile } from '../lib/csv-sql.ts'
import type { Exports, Streamed } from '../lib/http/serve.ts'
import { fromFound } from './found-sql.ts'
import type { List } from './order-sql.ts'
import { joinNames } from './sql.ts'

const cells = {
  'Device (Model)': sql`d.device_type`,
  'Serial Number': asText(sql`d.serial_number`),
  Zone: sql`zone.cell`,
  'Host PC': sql`host.cell`,
  CFG: sql`configuration.cell`,
  Firmware: sql`firmware.cell`,
  'Last Updated': asInstant(sql`d.last_updated_at`),
  'Last Seen': sql`coalesce(${asInstant(sql`d.last_seen_at`)}, host.seen)`,
  'Battery Health': sql`d.battery_health`,
  Warranty: sql`d.warranty_until`,
  Simulated: sql`case when d.simulated then 'Yes' end`,
}

const ofNames = {
  zone: sql`${asText(sql`name`)} as cell`,
  host: sql`${asText(sql`name`)} as cell, ${asInstant(sql`readers_seen_at`)} as seen`,
  firmware: sql`${asText(sql`version`)} as cell`,
  configuration: sql`${asText(sql`label`)} as cell`,
}

export function downloadFound({ db, exportPool }: Exports, list: Pick<List, 'shown' | 'sort'>): Promise<Streamed> {
  const names = joinNames(list.shown.organizationId, undefined, ofNames)
  const query = sql`select ${sql.join(Object.values(cells))} from ${fromFound(list, names)}`.compile(db)
  return createCsvFile(exportPool, { fileName: 'devices.csv', headings: Object.keys(cells), query })
}

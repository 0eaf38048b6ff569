import { sql } from 'kysely'
import { createCsvFile } from '../lib/csv/csv-sql.ts'
import type { Exports, Streamed } from '../lib/http/serve.ts'
import { fromFound } from './found-sql.ts'
import type { List } from './order-sql.ts'

const cells = {
  'Device (Model)': sql`d.device_type`,
  'Serial Number': sql`d.serial_number`,
  Zone: sql`zone.name`,
  'Host PC': sql`host.name`,
  CFG: sql`configuration.label`,
  Firmware: sql`firmware.version`,
  'Last Updated': sql`d.last_updated_at`,
  'Last Seen': sql`coalesce(d.last_seen_at, host.readers_seen_at)`,
  'Battery Health': sql`d.battery_health`,
  Warranty: sql`d.warranty_until`,
  Simulated: sql`case when d.simulated then 'Yes' end`,
}

export function downloadFound({ db, exportPool }: Exports, list: Pick<List, 'shown' | 'sort'>): Promise<Streamed> {
  const query = sql`select ${sql.join(Object.values(cells))} from ${fromFound(list)}`.compile(db)
  return createCsvFile(exportPool, { fileName: 'devices.csv', cells, instants: ['Last Updated', 'Last Seen'], query })
}

import { sql } from 'kysely'
import { createCsvFile } from '../lib/csv/csv-sql.ts'
import type { Database } from '../lib/database/database.ts'
import type { Exports, Streamed } from '../lib/http/serve.ts'
import { createWorkbookFile } from '../lib/workbook/workbook-file.ts'
import type { Workbooks } from '../lib/workbook/workbooks.ts'
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

type Found = Pick<List, 'shown' | 'sort'>

const selectCells = (db: Database, list: Found) => sql`select ${sql.join(Object.values(cells))} from ${fromFound(list)}`.compile(db)

export const downloadFound = ({ db, exportPool }: Exports, list: Found): Promise<Streamed> =>
  createCsvFile(exportPool, { fileName: 'devices.csv', cells, instants: ['Last Updated', 'Last Seen'], query: selectCells(db, list) })

export const downloadFoundWorkbook = ({ db, exportPool }: Exports, workbooks: Workbooks, list: Found): Promise<Streamed> =>
  createWorkbookFile(exportPool, workbooks, {
    fileName: 'devices.xlsx',
    sheetName: 'Devices',
    cells,
    kinds: { 'Last Updated': 'instant', 'Last Seen': 'instant', 'Battery Health': 'number', Warranty: 'date' },
    query: selectCells(db, list),
  })

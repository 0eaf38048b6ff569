import { pipeline, Readable } from 'node:stream'
import type { Device, DeviceFilter, DeviceSort } from '@lectern/contract/devices.ts'
import { stringify } from 'csv-stringify'
import { sql } from 'kysely'
import type { Database } from '../lib/database.ts'
import type { Streamed } from '../lib/serve.ts'
import { type DeviceRow, matchQuery } from './list.ts'
import { deviceOf } from './pages.ts'

const batch = 500

const headings = {
  deviceType: 'Device (Model)',
  serialNumber: 'Serial Number',
  zone: 'Zone',
  host: 'Host PC',
  currentConfig: 'CFG',
  currentFirmware: 'Firmware',
  lastUpdatedDate: 'Last Updated',
  lastSeen: 'Last Seen',
  batteryHealth: 'Battery Health',
  warrantyRemaining: 'Warranty',
} satisfies Record<keyof Device, string>

/** A cell that a spreadsheet would take for a formula, as text. */
const defuse = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** All readers of a filter as CSV: UTF-8 with BOM, RFC 4180, streamed row by row through a cursor. */
export function downloadDevices(db: Database, organizationId: string, filter: DeviceFilter, sort: DeviceSort): Streamed {
  const csv = stringify({
    header: true,
    bom: true,
    columns: headings,
    record_delimiter: 'windows',
    // The library quotes a cell for a whole line end only, not for half of one.
    quoted_match: /[\r\n]/,
    cast: { string: defuse },
  })
  // Where the caller goes away, this ends the cursor's transaction too. Errors reach the caller through `csv`.
  pipeline(Readable.from(rows(db, organizationId, filter, sort)), csv, () => {})
  return { headers: { 'content-disposition': 'attachment; filename="devices.csv"' }, stream: csv }
}

/** The cursor is SQL's own: one of the driver waits for ever where its connection is lost. */
async function* rows(db: Database, organizationId: string, filter: DeviceFilter, sort: DeviceSort): AsyncGenerator<Device> {
  const transaction = await db.startTransaction().setAccessMode('read only').execute()
  try {
    // A caller who stops reading must not hold the transaction, and with it every old row, for ever.
    await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(transaction)
    await sql`declare readers no scroll cursor for ${matchQuery(organizationId, filter, sort)}`.execute(transaction)
    for (;;) {
      const { rows } = await sql<DeviceRow>`fetch ${sql.lit(batch)} from readers`.execute(transaction)
      if (rows.length === 0) return
      for (const row of rows) yield deviceOf(row)
    }
  } finally {
    await transaction.rollback().execute()
  }
}

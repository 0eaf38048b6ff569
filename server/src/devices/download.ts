import type { Device, DeviceFilter, DeviceSort } from '@lectern/contract/devices/devices.ts'
import { createCsvFile } from '../lib/csv.ts'
import { streamRows } from '../lib/database/cursor.ts'
import type { Database } from '../lib/database/database.ts'
import type { Streamed } from '../lib/http/serve.ts'
import { queryDevices, toDevice } from './devices.ts'

type Line = Omit<Device, 'drifted' | 'simulated'> & { simulated: string }

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
  simulated: 'Simulated',
} satisfies Record<keyof Line, string>

export const downloadDevices = (db: Database, organizationId: number, filter: DeviceFilter, sort: DeviceSort): Streamed =>
  createCsvFile('devices.csv', headings, devices(db, organizationId, filter, sort))

async function* devices(db: Database, organizationId: number, filter: DeviceFilter, sort: DeviceSort): AsyncGenerator<Line> {
  for await (const row of streamRows(db, queryDevices(organizationId, filter, sort)))
    yield { ...toDevice(row), simulated: row.simulated ? 'Yes' : '' }
}

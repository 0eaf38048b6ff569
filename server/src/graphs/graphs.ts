import type { DeviceRecord } from '@lectern/contract/device-log.ts'
import type { Database } from '../lib/database/database.ts'
import { deleteOutdated, selectTimes, selectUnreported, upsertDecodeUse, upsertReports } from './sql.ts'

/** The database's time, and the first UTC day that graphs show. */
export const graphTimes = (db: Database) => selectTimes(db)

/** Counts readers that a host reports, each once a day, and again when it has become another model. */
export async function countReaders(
  db: Database,
  organizationId: string,
  readers: readonly { serialNumber: string; deviceType: string }[],
): Promise<void> {
  const bySerial = new Map(readers.map((reader) => [reader.serialNumber, reader]))
  const unreported = await selectUnreported(db, organizationId, [...bySerial.values()])
  if (unreported.length === 0) return
  const reports = unreported.map(({ id, model }) => ({ deviceId: id, at: null, model, os: null, location: null }))
  await upsertReports(db, organizationId, reports)
}

/** Counts devices by what they have said of themselves; saying it again changes nothing. */
export async function countRecords(db: Database, organizationId: string, records: readonly DeviceRecord[]): Promise<void> {
  if (records.length === 0) return
  const reports = records.map(({ deviceId, at, model, os = null, location = null }) => ({
    deviceId,
    at: new Date(at),
    model,
    os,
    location,
  }))
  await upsertReports(db, organizationId, reports)
  const uses = records.filter(({ decodes }) => decodes > 0).map(({ deviceId, at }) => ({ deviceId, at: new Date(at) }))
  if (uses.length > 0) await upsertDecodeUse(db, organizationId, uses)
}

/** Forgets devices that have not reported for a year. The graphs are exact without it: what is too old is taken off as they are read. */
export const sweepGraphs = (db: Database): Promise<number> => deleteOutdated(db)

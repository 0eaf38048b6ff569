import type { DeviceRecord } from '@lectern/contract/device-log.ts'
import type { Database } from '../lib/database/database.ts'
import { deleteOutdated, foldGraphCounts, selectTimes, selectUnreported, upsertDecodeUse, upsertReports } from './sql.ts'

/** `now` is the database's clock; `firstDay` the first UTC day in the graphs. */
export const getGraphTimes = (db: Database) => selectTimes(db)

/** A reader counts once per day, and again when its model changes. */
export async function countReaders(
  db: Database,
  organizationId: number,
  readers: readonly { serialNumber: string; deviceType: string }[],
): Promise<void> {
  if (readers.length === 0) return
  const bySerial = new Map(readers.map((reader) => [reader.serialNumber, reader]))
  const unreported = await selectUnreported(db, organizationId, [...bySerial.values()])
  if (unreported.length === 0) return
  const reports = unreported.map(({ id, model }) => ({ deviceId: id, at: null, model, os: null, location: null }))
  await upsertReports(db, organizationId, reports)
}

export async function countRecords(db: Database, organizationId: number, records: readonly DeviceRecord[]): Promise<void> {
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

/** The graphs are exact without this sweep: reads subtract what is too old, and add what is not folded. Returns the number of devices removed. */
export async function sweepGraphs(db: Database): Promise<number> {
  const removed = await deleteOutdated(db)
  await foldGraphCounts(db)
  return removed
}

import { clockSkewMinutes, type DeviceLogReply, DeviceRecord } from '@lectern/contract/device-log.ts'
import { graphDays } from '@lectern/contract/graphs.ts'
import { checkEach, readRefusedText } from '@lectern/contract/http/check-each.ts'
import { countRecords, getGraphTimes } from '../graphs/graphs.ts'
import type { Database } from '../lib/database/database.ts'

/** Stores a batch and counts its good records. A bad record is refused with its index and the reason. */
export async function logDevices(db: Database, organizationId: number, records: readonly unknown[]): Promise<DeviceLogReply> {
  const times = await getGraphTimes(db)
  const { accepted, refused } = checkEach(DeviceRecord, records, (record) => findTimeProblem(record, times))
  await countRecords(db, organizationId, accepted)
  return {
    accepted: accepted.length,
    refused: refused.map(({ index, item, reason }) => ({ index, deviceId: readRefusedText(item, 'deviceId', 64), reason })),
  }
}

function findTimeProblem({ at }: DeviceRecord, { now, firstDay }: { now: Date; firstDay: string }): string | null {
  const instant = new Date(at).getTime()
  if (instant > now.getTime() + clockSkewMinutes * 60_000) return 'at must not be in the future'
  if (instant < Date.parse(firstDay)) return `at must be within the last ${graphDays} days, which are UTC days`
  return null
}

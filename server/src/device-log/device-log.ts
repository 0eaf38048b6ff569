import { clockSkewMinutes, type DeviceLogReply, DeviceRecord } from '@lectern/contract/device-log.ts'
import { graphDays } from '@lectern/contract/graphs.ts'
import { countRecords, getGraphTimes } from '../graphs/graphs.ts'
import type { Database } from '../lib/database/database.ts'

/** Counts the good records of a batch; a bad one is refused with its index and the reason. */
export async function logDevices(db: Database, organizationId: number, records: readonly unknown[]): Promise<DeviceLogReply> {
  const times = await getGraphTimes(db)
  const accepted: DeviceRecord[] = []
  const refused: DeviceLogReply['refused'] = []
  for (const [index, record] of records.entries()) {
    const parsed = DeviceRecord.safeParse(record)
    const reason = parsed.success
      ? findTimeProblem(parsed.data, times)
      : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ')
    if (parsed.success && reason === null) accepted.push(parsed.data)
    else refused.push({ index, deviceId: readDeviceId(record), reason: reason as string })
  }
  await countRecords(db, organizationId, accepted)
  return { accepted: accepted.length, refused }
}

function findTimeProblem({ at }: DeviceRecord, { now, firstDay }: { now: Date; firstDay: string }): string | null {
  const instant = new Date(at).getTime()
  if (instant > now.getTime() + clockSkewMinutes * 60_000) return 'at must not be in the future'
  if (instant < Date.parse(firstDay)) return `at must be within the last ${graphDays} days, which are UTC days`
  return null
}

const readDeviceId = (record: unknown): string | null => {
  const id = (record as { deviceId?: unknown } | null)?.deviceId
  return typeof id === 'string' ? id.slice(0, 64) : null
}

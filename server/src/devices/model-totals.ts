import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import type { ModelTotals } from '@lectern/contract/devices/devices.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { sql } from 'kysely'
import { latestFirmware } from '../firmware/firmware.ts'
import type { Database } from '../lib/database/database.ts'

/** The readers of a model that an organization has, from the kept counts. */
export async function modelTotals(db: Database, organizationId: string, model: DeviceModel): Promise<ModelTotals> {
  const latest = await latestFirmware(db, model)
  const counts = await selectModelCounts(db, organizationId, model)
  if (latest === undefined) return counts
  return { ...counts, latestFirmware: latest, onLatest: await countRunning(db, organizationId, model, versionOrder(latest)) }
}

const selectModelCounts = (db: Database, organizationId: string, model: DeviceModel) =>
  db
    .selectFrom('device_count')
    .select(sql<number>`coalesce(sum(total), 0)::int`.as('readers'))
    .select(sql<number>`(count(*) filter (where total > 0 and zone_id is not null))::int`.as('zones'))
    .where('organization_id', '=', organizationId)
    .where('device_type', '=', model)
    .executeTakeFirstOrThrow()

async function countRunning(db: Database, organizationId: string, model: DeviceModel, order: string): Promise<number> {
  const { count } = await db
    .selectFrom('firmware_count')
    .select(sql<number>`coalesce(sum(total), 0)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('device_type', '=', model)
    .where('firmware_order', '=', order)
    .executeTakeFirstOrThrow()
  return count
}

import type { Desired, DesiredConfiguration } from '@lectern/contract/hosts.ts'
import { listDesiredFirmware } from '../firmware/firmware.ts'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { notFound } from '../lib/http/problem.ts'
import { desiredPublications } from '../publications/publications.ts'
import { openReapplications } from '../reapplications/reapplications.ts'

/** What the readers of a host's zone must run, and which readers get it once more. */
export async function getDesired(db: Database, { organizationId, zoneId }: Host, minBattery: number): Promise<Desired> {
  const zone = await db
    .selectFrom('zone')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', zoneId)
    .executeTakeFirst()
  if (!zone) throw notFound('zone')
  const desired = await desiredPublications(db, 'configuration', zoneId)
  const configurations = desired.map(
    ({ version: _, content, ...rest }): DesiredConfiguration => ({ ...rest, content: content as 'cfg' | 'file' }),
  )
  const reapplications = await openReapplications(db, zoneId)
  const firmware = await listDesiredFirmware(db, zoneId)
  return { zoneId: zone.id, zoneName: zone.name, configurations, reapplications, firmware, minBattery }
}

import { mostZonesListed, type Zone } from '@lectern/contract/zones.ts'
import { recordChange } from '../audit/audit.ts'
import { streamRows } from '../lib/database/cursor.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { OrganizationIds } from '../lib/http/caller.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { checkZones } from '../quotas/quotas.ts'
import { selectZone, selectZones, updateZoneNote } from './sql.ts'
import { listTags, listZoneSelection, tagZones } from './tags.ts'
import { createZone, deleteZone, listZoneOverviews, removeHost } from './zones.ts'

export const zoneRoutes = {
  listLocations: async ({ db, params, organization }) => streamZones(db, params, organization),
  listZones: async ({ db, params, organization }) =>
    (await selectZones(db, params).limit(mostZonesListed).execute()).map((zone) => toZone(organization, zone)),
  listZoneOverviews: ({ db, params, query }) => listZoneOverviews(db, params, query),
  createZone: async ({ db, actor, organization, params, settings }) => {
    const zone = await createZone(db, actor, organization, params.location)
    await checkZones(db, organization.id, settings.quotas)
    return zone
  },
  deleteZone: (call) => deleteZone(call.db, call.actor, call.params, call.params.location),
  setZoneNote: async ({ db, actor, params, organization, body: { note } }) => {
    const zone = await selectZone(db, params, params.location).forUpdate().executeTakeFirst()
    if (!zone) throw notFound('zone')
    if (note === zone.note) return toZone(organization, zone)
    await updateZoneNote(db, params.organizationId, zone.id, note)
    await recordChange(db, actor, {
      organization_id: params.organizationId,
      change_type: 'setZoneNote',
      zone_name: zone.name,
      target: zone.public_id,
      new_value: note,
    })
    return toZone(organization, { ...zone, note })
  },
  tagZones: (call) => tagZones(call.db, call.actor, call.params, call.body),
  listTags: ({ db, params }) => listTags(db, params),
  listZoneSelection: ({ db, params }) => listZoneSelection(db, params),
  removeHost: (call) => removeHost(call.db, call.actor, call.params, call.params.host),
} satisfies Partial<Handlers>

async function* streamZones(db: Database, scope: ZoneScope, organization: OrganizationIds): AsyncGenerator<Zone> {
  for await (const zone of streamRows(db, selectZones(db, scope))) yield toZone(organization, zone)
}

const toZone = (
  { publicId }: OrganizationIds,
  { public_id, name, note, tags }: { public_id: string; name: string; note: string; tags: readonly string[] },
): Zone => ({
  id: public_id,
  name,
  organizationId: publicId,
  ...(note !== '' && { note }),
  ...(tags.length > 0 && { tags: [...tags] }),
})

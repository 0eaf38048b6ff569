import { mostZonesListed, type Zone } from '@lectern/contract/zones.ts'
import { streamRows } from '../lib/database/cursor.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { OrganizationIds } from '../lib/http/caller.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { checkZones } from '../quotas/quotas.ts'
import { selectZones } from './sql.ts'
import { listTags, listZoneSelection, tagZones } from './tags.ts'
import { createZone, deleteZone, listZoneOverviews, removeHost, setZoneNote, toZone } from './zones.ts'

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
  setZoneNote: ({ db, actor, params, organization, body }) => setZoneNote(db, actor, { ...params, organization, note: body.note }),
  tagZones: (call) => tagZones(call.db, call.actor, call.params, call.body),
  listTags: ({ db, params }) => listTags(db, params),
  listZoneSelection: ({ db, params }) => listZoneSelection(db, params),
  removeHost: (call) => removeHost(call.db, call.actor, call.params, call.params.host),
} satisfies Partial<Handlers>

async function* streamZones(db: Database, scope: ZoneScope, organization: OrganizationIds): AsyncGenerator<Zone> {
  for await (const zone of streamRows(db, selectZones(db, scope))) yield toZone(organization, zone)
}

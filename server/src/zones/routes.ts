import type { Handlers } from '../lib/http/serve.ts'
import { selectZones } from './sql.ts'
import { createZone, deleteZone, listZoneOverviews, removeHost } from './zones.ts'

export const zoneRoutes = {
  listZones: async ({ db, params }) => {
    const zones = await selectZones(db, params.organizationId)
    return zones.map(({ id, name, organization_id }) => ({ id, name, organizationId: organization_id }))
  },
  listZoneOverviews: ({ db, params }) => listZoneOverviews(db, params.organizationId),
  createZone: (call) => createZone(call.db, call.actor, call.params.organizationId, call.params.location),
  deleteZone: (call) => deleteZone(call.db, call.actor, call.params.organizationId, call.params.location),
  removeHost: (call) => removeHost(call.db, call.actor, call.params.organizationId, call.params.host),
} satisfies Partial<Handlers>

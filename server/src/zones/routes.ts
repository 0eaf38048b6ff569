import type { Zone } from '@lectern/contract/zones.ts'
import { recordChange } from '../audit/audit.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { selectZoneNote, selectZones, updateZoneNote } from './sql.ts'
import { createZone, deleteZone, listZoneOverviews, removeHost } from './zones.ts'

export const zoneRoutes = {
  listZones: async ({ db, params }) => (await selectZones(db, params.organizationId)).map(toZone),
  listZoneOverviews: ({ db, params }) => listZoneOverviews(db, params.organizationId),
  createZone: (call) => createZone(call.db, call.actor, call.params.organizationId, call.params.location),
  deleteZone: (call) => deleteZone(call.db, call.actor, call.params.organizationId, call.params.location),
  setZoneNote: async ({ db, actor, params, body: { note } }) => {
    const zone = await selectZoneNote(db, params.organizationId, params.location).forUpdate().executeTakeFirst()
    if (!zone) throw notFound('zone')
    if (note === zone.note) return toZone(zone)
    await updateZoneNote(db, zone.id, note)
    await recordChange(db, actor, {
      organization_id: params.organizationId,
      change_type: 'setZoneNote',
      zone_name: zone.name,
      target: zone.id,
      new_value: note,
    })
    return toZone({ ...zone, note })
  },
  removeHost: (call) => removeHost(call.db, call.actor, call.params.organizationId, call.params.host),
} satisfies Partial<Handlers>

const toZone = ({ id, name, organization_id, note }: { id: string; name: string; organization_id: string; note: string }): Zone => ({
  id,
  name,
  organizationId: organization_id,
  ...(note !== '' && { note }),
})

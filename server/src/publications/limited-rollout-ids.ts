import { createHash } from 'node:crypto'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { Person } from '../lib/http/caller.ts'

/**
 * Returns the id under which the rollout that a call names is stored. A caller whose role is limited to zones has other ids than all others,
 * and so does not learn whether hidden zones have a rollout with an id (MAY-06).
 */
export function toRolloutId<Asked extends string | undefined>({ zones }: ZoneScope, { userId }: Person, asked: Asked): Asked {
  if (zones === null || asked === undefined) return asked
  const hex = createHash('sha256').update(`rollout ${userId} ${asked.toLowerCase()}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}` as Asked
}

/** Publishes with the stored id of the rollout. `rolloutId`: returned where that is another than the call's. */
export async function publishAs<Fields extends { rollout?: string | undefined }>(
  { params, caller }: { params: ZoneScope; caller: Person },
  fields: Fields,
  publish: (fields: Fields) => Promise<{ message: string }>,
): Promise<{ message: string; rolloutId?: string }> {
  const rollout = toRolloutId(params, caller, fields.rollout)
  if (rollout === fields.rollout) return publish(fields)
  return { ...(await publish({ ...fields, rollout })), rolloutId: rollout! }
}

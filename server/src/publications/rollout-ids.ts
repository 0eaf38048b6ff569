import { createHash } from 'node:crypto'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { Person } from '../lib/http/caller.ts'

/**
 * The id under which the rollout is kept that a call asks for. Who is limited to zones has ids of their own: they do not learn whether zones
 * that they do not see have a rollout of this id (MAY-06).
 */
export function toRolloutId<Asked extends string | undefined>({ zones }: ZoneScope, { userId }: Person, asked: Asked): Asked {
  if (zones === null || asked === undefined) return asked
  const hex = createHash('sha256').update(`rollout ${userId} ${asked.toLowerCase()}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}` as Asked
}

/** `rolloutId`: where it is another than the call has asked for. */
export async function publishAs<Fields extends { rollout?: string | undefined }>(
  { params, caller }: { params: ZoneScope; caller: Person },
  fields: Fields,
  publish: (fields: Fields) => Promise<{ message: string }>,
): Promise<{ message: string; rolloutId?: string }> {
  const rollout = toRolloutId(params, caller, fields.rollout)
  if (rollout === fields.rollout) return publish(fields)
  return { ...(await publish({ ...fields, rollout })), rolloutId: rollout! }
}

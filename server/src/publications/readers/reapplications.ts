import type { Reapplied, Standing } from '@lectern/contract/publications/publications.ts'
import { type Change, recordChange } from '../../audit/audit.ts'
import { emitDesired } from '../../events/events.ts'
import type { Actor } from '../../lib/actor.ts'
import type { Database } from '../../lib/database/database.ts'
import type { ZoneScope } from '../../lib/database/zone-scope.ts'
import type { Person } from '../../lib/http/caller.ts'
import { Problem } from '../../lib/http/problem.ts'
import { toResult } from '../publications.ts'
import { insertReapplication, selectReapplication } from './reapplications-sql.ts'

export interface Reapply {
  actor: Actor<Person>
  params: ZoneScope & { serialNumber: string }
}

interface Reader {
  id: number
  device_type: string
  public_zone_id: string | null
  zone_name: string | null
  publication_id: string | null
}

/** Throws a Problem 409 for a reader that has neither drifted nor failed, with the reason. */
export function requireReappliable({ publication_id }: Pick<Reader, 'publication_id'>, standing: Standing): void {
  if (publication_id === null) throw new Problem(409, 'Nothing is published for this reader’s model in its zone.')
  if (standing === 'kept')
    throw new Problem(409, 'A roll back gave this reader back what it had. It keeps that until something newer is published.')
  if (standing === 'current') throw new Problem(409, 'This reader is up to date.')
  if (standing !== 'drifted' && standing !== 'failed') throw new Problem(409, 'This reader is waiting for its update.')
}

/**
 * Lets the host apply again what the reader must run. A second call before it has done so changes nothing. The caller has called
 * `requireReappliable`.
 */
export async function reapply(
  db: Database,
  { actor, params }: Reapply,
  { id, publication_id, device_type, public_zone_id, zone_name }: Reader,
  label: string,
  change: Pick<Change, 'change_type' | 'config_name' | 'new_value' | 'version'>,
): Promise<{ message: string }> {
  const { organizationId: organization_id, serialNumber } = params
  const message = `${serialNumber} gets ${label} as soon as its host PC is reached.`
  const isNew = await insertReapplication(db, {
    organization_id,
    publication_id: publication_id!,
    device_id: id,
    requested_by: actor.caller.userId,
  })
  if (!isNew) return { message }
  await recordChange(db, actor, { organization_id, target: device_type, device_serial: serialNumber, zone_name, ...change })
  await emitDesired(db, organization_id, [public_zone_id])
  return { message }
}

export async function findReapplied(
  db: Database,
  organizationId: number,
  publicationId: string | null,
  deviceId: number,
): Promise<Reapplied | undefined> {
  const row = publicationId === null ? undefined : await selectReapplication(db, organizationId, publicationId, deviceId)
  return (
    row && {
      requestedAt: row.requested_at.toISOString(),
      ...(row.requested_by !== null && { requestedBy: row.requested_by }),
      result: toResult(row.outcome, row.reason, row.happened_at),
    }
  )
}

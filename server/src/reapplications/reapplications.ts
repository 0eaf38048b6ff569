import type { Reapplication } from '@lectern/contract/hosts.ts'
import type { Reapplied, Standing } from '@lectern/contract/publications/publications.ts'
import { type Change, recordChange } from '../audit/audit.ts'
import { emitEvent } from '../events/events.ts'
import type { Database } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import { toResult } from '../publications/publications.ts'
import { insertReapplication, selectOpenReapplications, selectReapplication } from './sql.ts'

/** Who has which reader given something once more, and from where. */
export interface Reapply {
  caller: { userId: string; email: string }
  origin: { address: string; requestId: string }
  params: { organizationId: string; serialNumber: string }
}

/** A reader with what its zone wants of it. */
interface Reader {
  id: string
  device_type: string
  zone_id: string | null
  zone_name: string | null
  publication_id: string | null
}

/**
 * Has a reader given once more what its zone wants, called `label`; `change` is what the audit log says of it. While that is still to come, asking
 * again changes nothing.
 */
export async function reapply(
  db: Database,
  { caller, origin, params }: Reapply,
  { id, publication_id, device_type, zone_id, zone_name }: Reader,
  standing: Standing,
  label: string,
  change: Pick<Change, 'change_type' | 'config_name' | 'new_value' | 'version'>,
): Promise<{ message: string }> {
  const { organizationId: organization_id, serialNumber } = params
  if (publication_id === null) throw new Problem(409, 'Nothing has been published for this reader’s model in its zone.')
  if (standing === 'current') throw new Problem(409, 'This reader runs what its zone wants.')
  if (standing !== 'drifted' && standing !== 'failed') throw new Problem(409, 'This reader is still to be given what its zone wants.')
  const message = `${serialNumber} will be given ${label} as soon as its host PC hears of it.`
  const isNew = await insertReapplication(db, { organization_id, publication_id, device_id: id, requested_by: caller.userId })
  if (!isNew) return { message }
  await recordChange(db, { caller, origin }, { organization_id, target: device_type, device_serial: serialNumber, zone_name, ...change })
  await emitEvent(db, { organization_id, zone_id, kind: 'desired' })
  return { message }
}

/** The last time somebody had a reader given a publication once more, as it travels. */
export async function getReapplied(db: Database, publicationId: string | null, deviceId: string): Promise<Reapplied | undefined> {
  const row = publicationId === null ? undefined : await selectReapplication(db, publicationId, deviceId)
  return (
    row && {
      requestedAt: row.requested_at.toISOString(),
      ...(row.requested_by !== null && { requestedBy: row.requested_by }),
      result: toResult(row.outcome, row.reason, row.happened_at),
    }
  )
}

/** The readers of a zone that shall be given once more what is desired of them. */
export const openReapplications = (db: Database, zoneId: string): Promise<Reapplication[]> => selectOpenReapplications(db, zoneId)

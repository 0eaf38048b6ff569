import type { Insertable } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Person } from '../lib/caller.ts'
import type { Database } from '../lib/database.ts'
import type { AuditEntry } from '../lib/schema.ts'

/** What changed; the fields that a change type does not have stay away (spec §3). */
export type Change = Pick<
  Insertable<AuditEntry>,
  'organization_id' | 'change_type' | 'target' | 'new_value' | 'zone_name' | 'version' | 'config_name' | 'device_serial'
>

/** Writes an entry of the audit log, in the transaction of the change itself. `caller` is null where a host did it, not a person. */
export async function recordChange(
  db: Database,
  { caller, origin }: { caller: Pick<Person, 'userId' | 'email'> | null; origin: { address: string; requestId: string } },
  change: Change,
): Promise<void> {
  await db
    .insertInto('audit_entry')
    .values({
      id: uuidv7(),
      initiator_id: caller?.userId ?? null,
      initiator_email: caller?.email ?? null,
      address: origin.address,
      request_id: origin.requestId,
      ...change,
    })
    .execute()
}

import type { Stack } from './processes/stack.ts'
import { northfield } from './processes/stack.ts'

/** An entry of the demo organization's log, or of the vendor's. */
export interface EntryToWrite {
  type: string
  /** Its author's address; null: no author. */
  by?: string | null
  organization?: string | null
  /** An instant, or minutes ago. */
  at?: string | number
  target?: string
  newValue?: string
  zone?: string
  version?: string
  config?: string
  serial?: string
  host?: string
  rollout?: string
  depth?: number
}

/** Empties every log, which the product itself cannot. */
export async function emptyLogs({ sql }: Pick<Stack, 'sql'>): Promise<void> {
  await sql('alter table audit_entry disable trigger audit_entry_append_only')
  await sql('delete from audit_entry')
  await sql('delete from audit_count')
  await sql('delete from audit_fold')
  await sql('alter table audit_entry enable trigger audit_entry_append_only')
}

/** Writes entries as calls would have, the oldest first. */
export async function writeEntries({ sql }: Pick<Stack, 'sql'>, entries: readonly EntryToWrite[]): Promise<void> {
  for (const { type, by = null, organization = northfield, at = 0, ...entry } of entries)
    await sql(
      `insert into audit_entry (id, organization_id, in_effect_since, change_type, initiator_id, initiator_email, initiator_name,
         target, new_value, zone_name, version, config_name, device_serial, host_name, rollout_id, depth, address, request_id)
       select gen_random_uuid(), coalesce((select id from organization where public_id = $1), 0), coalesce($2::timestamptz, now() - make_interval(mins => $3)), $4, u.id, $5,
         nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), $6, $7, $8, $9, $10, $11, $12, $13, coalesce($14::smallint, 0), '203.0.113.7', 'request-1'
       from (select 1) as once left join "user" u on u.email = $5`,
      [
        ...[organization, typeof at === 'string' ? at : null, typeof at === 'number' ? at : 0, type, by],
        ...[
          entry.target,
          entry.newValue,
          entry.zone,
          entry.version,
          entry.config,
          entry.serial,
          entry.host,
          entry.rollout,
          entry.depth,
        ].map((value) => value ?? null),
      ],
    )
}

import { sql } from 'kysely'

/**
 * SQL: the phase of the rollout in which reader `d` is for publication `p`, as far as its host PC knows; null where the rollout has no
 * phases.
 */
export const readerPhaseNow = sql`(
  select phase_of(own.phase_ends, p.phase, knowing.knows_phases, p.rollout_id, d.serial_number)
  from rollout own left join host knowing on knowing.organization_id = p.organization_id and knowing.id = d.host_id
  where own.organization_id = p.organization_id and own.id = p.rollout_id and p.phase is not null)`

/** SQL: the phase in which the reader's outcome came, which is where it counts; without an outcome, `readerPhaseNow`. */
export const readerPhase = sql`coalesce((
  select had.phase from outcome had where had.organization_id = p.organization_id and had.publication_id = p.id and had.device_id = d.id), ${readerPhaseNow})`

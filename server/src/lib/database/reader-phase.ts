import { sql } from 'kysely'

/** SQL: the phase of its rollout in which reader `d` would be for publication `p`, by what its host PC knows now; null where the rollout has none. */
export const readerPhaseNow = sql`(
  select phase_of(own.phase_ends, p.phase, knowing.knows_phases, p.rollout_id, d.serial_number)
  from rollout own left join host knowing on knowing.organization_id = p.organization_id and knowing.id = d.host_id
  where own.organization_id = p.organization_id and own.id = p.rollout_id and p.phase is not null)`

/** SQL: the same, but that in which its outcome came where it has one: that counts it. */
export const readerPhase = sql`coalesce((
  select had.phase from outcome had where had.organization_id = p.organization_id and had.publication_id = p.id and had.device_id = d.id), ${readerPhaseNow})`

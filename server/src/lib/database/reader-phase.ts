import { sql } from 'kysely'

/** In which phase of its rollout reader `d` is for publication `p`, by what its host PC knows now; null where the rollout has none. */
export const readerPhase = sql`(
  select phase_of(own.phase_ends, p.phase, knowing.knows_phases, p.rollout_id, d.serial_number)
  from rollout own left join host knowing on knowing.organization_id = p.organization_id and knowing.id = d.host_id
  where own.organization_id = p.organization_id and own.id = p.rollout_id and p.phase is not null)`

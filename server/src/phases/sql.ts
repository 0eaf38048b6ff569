import type { Phase } from '@lectern/contract/publications/phases.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, day, instant, integer, json, orNull, type RowOf, read, text, texts } from '../lib/database/rows.ts'
import { isReaderSilent } from '../lib/database/silent.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'

export interface RolloutId {
  organizationId: number
  id: string
}
export type ScopedRollout = RolloutId & ZoneScope

const hasSoaked = sql`coalesce(f.done_at + make_interval(mins => f.soak_minutes) <= now(), false)`

const phaseColumns = {
  number: integer(sql`f.number`),
  share: orNull(integer(sql`f.share`)),
  zones: orNull(integer(sql`cardinality(f.zones)`)),
  soak_minutes: orNull(integer(sql`f.soak_minutes`)),
  max_failed_percent: orNull(integer(sql`f.max_failed_percent`)),
  max_silent_percent: orNull(integer(sql`f.max_silent_percent`)),
  position_end: integer(sql`(
    select r.phase_ends[f.number] from rollout r where r.organization_id = f.organization_id and r.id = f.rollout_id)`),
  readers: integer(sql`f.readers`),
  applied: integer(sql`f.applied`),
  failed: integer(sql`f.failed`),
  silent: integer(sql`f.silent`),
  // Of `failed`, those that no published command gives the content.
  impossible: integer(sql`f.impossible`),
  started_at: orNull(instant(sql`f.started_at`)),
  done_at: orNull(instant(sql`f.done_at`)),
  ended_at: orNull(instant(sql`f.ended_at`)),
  halted_at: orNull(instant(sql`f.halted_at`)),
  halted_by: orNull(text<'failed' | 'silent'>(sql`f.halted_by`)),
  halted_count: orNull(integer(sql`f.halted_count`)),
  halted_readers: orNull(integer(sql`f.halted_readers`)),
  is_overridden: boolean(sql`f.is_overridden`),
  soaked_at: orNull(instant(sql`f.done_at + make_interval(mins => f.soak_minutes)`)),
  has_soaked: boolean(hasSoaked),
}
export type PhaseRow = RowOf<typeof phaseColumns>

const ofRollout = ({ organizationId, id }: RolloutId): RawBuilder<unknown> =>
  sql`f.organization_id = ${organizationId} and f.rollout_id = ${id}`

export const selectPhases = (db: Database, rollout: RolloutId): Promise<PhaseRow[]> =>
  read(db, phaseColumns, (list) => sql`select ${list} from rollout_phase f where ${ofRollout(rollout)} order by f.number`)

export const selectPhasesByRollout = (db: Database, organizationId: number, rollouts: readonly string[]) =>
  read(
    db,
    { ...phaseColumns, rollout_id: text(sql`f.rollout_id`) },
    (list) => sql`
      select ${list} from rollout_phase f where f.organization_id = ${organizationId} and f.rollout_id = any(${rollouts}::uuid[])`,
  )

const namesShown = 3

// Reads the phases of chosen zones. `names`: of the first zones, `zones`: how many there are, both within the scope.
export const selectZoneNames = (db: Database, { zones, ...rollout }: ScopedRollout) =>
  read(
    db,
    {
      number: integer(sql`f.number`),
      zones: integer(sql`(
        select count(distinct p.zone_id) from publication p
        where p.organization_id = ${rollout.organizationId} and p.rollout_id = f.rollout_id and p.phase = f.number
          and ${isInZones({ zones }, sql`p.zone_id`)})`),
      names: texts(sql`array(
        select p.zone_name from publication p
        where p.organization_id = ${rollout.organizationId} and p.rollout_id = f.rollout_id and p.phase = f.number and p.names_zone
          and ${isInZones({ zones }, sql`p.zone_id`)}
        order by lower(p.zone_name), p.zone_id limit ${namesShown})`),
    },
    (list) => sql`select ${list} from rollout_phase f where ${ofRollout(rollout)} and f.zones is not null`,
  )

// Reads the phases and locks them. Whoever stores outcomes locks publications first, and then the phases of their readers.
export const lockPhases = (db: Database, rollout: RolloutId): Promise<PhaseRow[]> =>
  read(db, phaseColumns, (list) => sql`select ${list} from rollout_phase f where ${ofRollout(rollout)} order by f.number for no key update`)

/** Stores the ends of phases. Readers that have an outcome are put into the phases that the new ends give them. */
export async function updateEnds(db: Database, { organizationId, id }: RolloutId, ends: readonly number[]): Promise<void> {
  await sql`update rollout set phase_ends = ${ends}::int[] where organization_id = ${organizationId} and id = ${id}`.execute(db)
  await sql`
    update outcome o set phase = phase_of(${ends}::int[], p.phase, h.knows_phases, p.rollout_id, d.serial_number)
    from publication p, device d left join host h on h.organization_id = ${organizationId} and h.id = d.host_id
    where o.organization_id = ${organizationId} and o.publication_id = p.id and d.organization_id = ${organizationId} and d.id = o.device_id
      and p.organization_id = ${organizationId} and p.rollout_id = ${id} and p.phase is not null`.execute(db)
}

export async function insertPhases(db: Database, rollout: RolloutId, phases: readonly Phase[], ends: readonly number[]): Promise<void> {
  const gates = phases.map(({ gate }) => (gate === 'by hand' ? null : gate))
  await updateEnds(db, rollout, ends)
  await db
    .insertInto('rollout_phase')
    .values(
      [...phases, null].map((phase, index) => ({
        organization_id: rollout.organizationId,
        rollout_id: rollout.id,
        number: index + 1,
        share: phase?.share ?? null,
        zones: phase?.zones ?? null,
        soak_minutes: phase?.soakMinutes ?? null,
        max_failed_percent: gates[index]?.maxFailedPercent ?? null,
        max_silent_percent: gates[index]?.maxSilentPercent ?? null,
        ...(index === 0 && { started_at: instant(sql`now()`) }),
      })),
    )
    .execute()
}

const withZones = { ...phaseColumns, zone_ids: orNull(texts(sql`f.zones`)) }
export const selectPhasesWithZones = (db: Database, rollout: RolloutId) =>
  read(db, withZones, (list) => sql`select ${list} from rollout_phase f where ${ofRollout(rollout)} order by f.number`)

const countColumns = {
  number: integer(sql`counted.number`),
  readers: integer(sql`counted.readers`),
  applied: integer(sql`counted.applied`),
  failed: integer(sql`counted.failed`),
  silent: integer(sql`counted.silent`),
  impossible: integer(sql`counted.impossible`),
}

// SQL: the phase of reader `d`, at host `h`, for publication `p`. A reader with outcome `o` stays in the phase that it had then.
const phaseOfReader = sql`coalesce(o.phase, phase_of(r.phase_ends, p.phase, h.knows_phases, p.rollout_id, d.serial_number))`
const isOpen = sql`(o.outcome is null or o.retrying)`
const isImpossible = sql`(o.outcome = 'failed' and not o.retrying and o.code is not distinct from 'notPossible')`

const fromReaders = ({ organizationId, id, zones }: ScopedRollout, which: RawBuilder<unknown>) => sql`
  rollout r
  join publication p on p.organization_id = ${organizationId} and p.rollout_id = r.id and p.replaced_at is null and p.phase is not null
    and ${isInZones({ zones }, sql`p.zone_id`)} and ${which}
  join device d on d.organization_id = ${organizationId} and d.zone_id = p.zone_id and d.device_type = p.device_type
  left join host h on h.organization_id = ${organizationId} and h.id = d.host_id
  left join outcome o on o.organization_id = ${organizationId} and o.publication_id = p.id and o.device_id = d.id
  where r.organization_id = ${organizationId} and r.id = ${id} and o.outcome is distinct from 'kept'`

const figuresByPhase = (rollout: ScopedRollout, which: RawBuilder<unknown>) => sql`
  select ${phaseOfReader} as number, count(*)::int as readers,
    (count(*) filter (where o.outcome = 'applied'))::int as applied, (count(*) filter (where o.outcome = 'failed' and not o.retrying))::int as failed,
    (count(*) filter (where ${isOpen} and ${isReaderSilent(rollout.organizationId, 'd', 'h')}))::int as silent,
    (count(*) filter (where ${isImpossible}))::int as impossible
  from ${fromReaders(rollout, which)} group by 1`

const runColumns = {
  published_at: instant(sql`run.published_at`),
  update_time: text(sql`run.update_time`),
  start_date: orNull(day(sql`run.start_date`)),
  open_times: orNull(json<OpenTimes>(sql`open_times(run.organization_id, run.zone_id)`)),
  time_zone_history: text(sql`run.time_zone_history`),
}

// The runs that the silent readers of one phase wait for. Reads every reader of the rollout.
export const selectRunsOfSilent = (db: Database, rollout: RolloutId, number: number) =>
  read(
    db,
    runColumns,
    (list) => sql`
      select ${list} from (
        select distinct p.organization_id, p.zone_id, p.update_time, p.start_date, date_trunc('minute', p.published_at) as published_at, coalesce(h.time_zone_history, 'UTC') as time_zone_history
        from ${fromReaders({ ...rollout, zones: null }, sql`not p.at_once`)} and ${isOpen} and ${isReaderSilent(rollout.organizationId, 'd', 'h')}
          and ${phaseOfReader} = ${number}
      ) run`,
  )

// The positions of all readers that can be in a share and may take the content, ascending. Readers of chosen zones cannot, nor those of agents
// without phases.
export async function selectPositions(db: Database, { organizationId, id }: RolloutId): Promise<number[]> {
  const rows = await read(
    db,
    { position: integer(sql`reader_position(p.rollout_id, d.serial_number)`) },
    (list) => sql`
      select distinct ${list} from publication p
      join device d on d.organization_id = ${organizationId} and d.zone_id = p.zone_id and d.device_type = p.device_type
      join host h on h.organization_id = ${organizationId} and h.id = d.host_id and h.knows_phases
      left join outcome o on o.organization_id = ${organizationId} and o.publication_id = p.id and o.device_id = d.id
      where p.organization_id = ${organizationId} and p.rollout_id = ${id} and p.replaced_at is null and p.phase = 0
        and ${isImpossible} is not true order by 1`,
  )
  return rows.map(({ position }) => position)
}

// Whether users have halted every publication of the rollout that is still desired.
export async function isHaltedByHand(db: Database, { organizationId, id }: RolloutId): Promise<boolean> {
  const [row] = await read(
    db,
    {
      goes_on: boolean(sql`exists (
        select from publication p
        where p.organization_id = ${organizationId} and p.rollout_id = ${id} and p.replaced_at is null and p.halted_at is null)`),
    },
    (list) => sql`select ${list}`,
  )
  return !row!.goes_on
}

// Counts host PCs in the rollout's zones that report readers by an agent without phases.
export async function countOlderHosts(db: Database, { organizationId, id }: RolloutId): Promise<number> {
  const [row] = await read(
    db,
    { hosts: integer(sql`count(*)`) },
    (list) => sql`
      select ${list} from host h where h.organization_id = ${organizationId} and h.revoked_at is null and not h.knows_phases
        and exists (select from device d where d.organization_id = h.organization_id and d.host_id = h.id)
        and h.zone_id in (select p.zone_id from publication p where p.organization_id = ${organizationId} and p.rollout_id = ${id})`,
  )
  return row!.hosts
}

// Counts the readers of each phase in the scope's zones. Reads every reader of the rollout there.
export const countPhases = (db: Database, rollout: ScopedRollout) =>
  read(db, countColumns, (list) => sql`select ${list} from (${figuresByPhase(rollout, sql`true`)}) counted order by counted.number`)

// Keeps other transactions from counting the phases until this one ends. Returns false where another does already.
export async function holdCount(db: Database, { organizationId, id }: RolloutId): Promise<boolean> {
  const free = boolean(sql`pg_try_advisory_xact_lock(hashtextextended(${`count phases ${organizationId} ${id}`}, 0))`)
  const [lock] = await read(db, { free }, (list) => sql`select ${list}`)
  return lock?.free === true
}

const sums = ['readers', 'applied', 'failed', 'silent', 'impossible']

// Counts all readers and corrects the kept figures by the difference. Phases are not held for that long, so what reports add in between
// stays. Does nothing where another transaction has counted since.
export const updateCounts = (db: Database, rollout: RolloutId) =>
  sql`
    update rollout_phase f set counted_at = clock_timestamp(), ${sql.join(
      sums.map((sum) => sql`${sql.ref(sum)} = f.${sql.ref(sum)} + coalesce(c.${sql.ref(sum)}, 0) - each.${sql.ref(sum)}`),
    )}
    from rollout_phase each left join (${figuresByPhase({ ...rollout, zones: null }, sql`true`)}) c on c.number = each.number
    where ${ofRollout(rollout)} and f.counted_at = each.counted_at
      and each.organization_id = ${rollout.organizationId} and each.rollout_id = f.rollout_id and each.number = f.number`.execute(db)

// Gives publications of the rollout that have no phase yet the one for which their zone was chosen, else 0. Returns whether there were any.
export async function updatePhases(db: Database, rollout: RolloutId): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update publication p set phase = coalesce((
        select f.number from rollout_phase f join zone z on z.organization_id = ${rollout.organizationId} and z.id = p.zone_id
        where ${ofRollout(rollout)} and f.zones @> array[z.public_id]), 0)
    where p.organization_id = ${rollout.organizationId} and p.rollout_id = ${rollout.id} and p.phase is null and exists (
      select from rollout_phase f where ${ofRollout(rollout)})`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

export const addPhaseFigures = (db: Database, rollout: RolloutId, publications: readonly string[]) =>
  sql`
    update rollout_phase f set readers = f.readers + c.readers, silent = f.silent + c.silent
    from (${figuresByPhase({ ...rollout, zones: null }, sql`p.id = any(${publications}::uuid[])`)}) c where ${ofRollout(rollout)} and f.number = c.number`.execute(
    db,
  )

export const updateDone = (db: Database, rollout: RolloutId, number: number, isDone: boolean) =>
  sql`update rollout_phase f set done_at = ${isDone ? sql`now()` : sql`null`} where ${ofRollout(rollout)} and f.number = ${number}`.execute(
    db,
  )

export const updateHalted = (
  db: Database,
  rollout: RolloutId,
  number: number,
  { by, count, readers }: { by: 'failed' | 'silent'; count: number; readers: number },
) =>
  sql`
    update rollout_phase f set halted_at = now(), halted_by = ${by}, halted_count = ${count}, halted_readers = ${readers}
    where ${ofRollout(rollout)} and f.number = ${number}`.execute(db)

export const updateOverridden = (db: Database, rollout: RolloutId, number: number) =>
  sql`
    update rollout_phase f set halted_at = null, is_overridden = true where ${ofRollout(rollout)} and f.number = ${number}`.execute(db)

// Starts the phase, and ends the phases before it.
export const updateStarted = (db: Database, rollout: RolloutId, number: number) =>
  sql`
    update rollout_phase f set started_at = coalesce(f.started_at, now()), ended_at = case when f.number < ${number} then coalesce(f.ended_at, now()) end, halted_at = null
    where ${ofRollout(rollout)} and f.number <= ${number}`.execute(db)

// The ids of those rollouts of these publications that have phases.
export async function selectPhasedRollouts(db: Database, organizationId: number, publications: readonly string[]): Promise<string[]> {
  const rows = await read(
    db,
    { id: text(sql`p.rollout_id`) },
    (list) => sql`
      select distinct ${list} from publication p
      where p.organization_id = ${organizationId} and p.id = any(${publications}::uuid[]) and p.phase is not null order by 1`,
  )
  return rows.map(({ id }) => id)
}

const openColumns = { organizationId: integer(sql`f.organization_id`), id: text(sql`f.rollout_id`) }

// SQL: whether phase `f` waits for a user alone.
const waitsForPerson = sql`(f.is_overridden or f.max_failed_percent is null or f.impossible >= f.readers) and ${hasSoaked} and f.applied + f.failed + f.silent >= f.readers`

// Rollouts of all organizations whose gate may decide with time, or that were counted more than an hour ago. Replaced ones are left out.
// One that was not counted for a week has been replaced.
export const selectUncounted = (db: Database) =>
  read(
    db,
    openColumns,
    (list) => sql`
      select ${list} from rollout_phase f
      where f.started_at is not null and f.ended_at is null and (
        f.halted_at is null and f.soak_minutes is not null and not (${waitsForPerson})
        or f.counted_at between now() - interval '7 days' and now() - interval '1 hour'
      ) and exists (
        select from publication p where p.organization_id = f.organization_id and p.rollout_id = f.rollout_id and p.replaced_at is null)`,
  )

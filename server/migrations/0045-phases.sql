-- Phases of rollouts (docs/decisions/0059): some readers begin first, and a gate decides whether the next ones may.

-- Where the positions of each phase end, in order; null: a rollout without phases.
alter table rollout add column phase_ends integer[];
-- The phase of all readers of its zone; 0: they are in phases by their positions; null: its rollout has no phases.
alter table publication add column phase smallint;
alter table host add column knows_phases boolean not null default false;
-- For rollouts for which nothing else is chosen.
alter table organization add column phases jsonb not null default '[]';

create table rollout_phase (
  organization_id integer not null references organization (id) on delete cascade,
  rollout_id uuid not null,
  number smallint not null,
  -- Per cent of the readers, or zones by their ids outside; neither: the rest.
  share smallint,
  zones uuid[],
  -- Null: the last one, which has no gate.
  soak_minutes smallint,
  -- Null: by hand.
  max_failed_percent smallint,
  max_offline_percent smallint,
  -- As last counted; outcomes since then are added.
  readers integer not null default 0,
  applied integer not null default 0,
  failed integer not null default 0,
  offline integer not null default 0,
  started_at timestamptz,
  done_at timestamptz,
  ended_at timestamptz,
  halted_at timestamptz,
  halted_by text,
  -- A user resumed it beyond its gate: the next one begins by hand.
  is_overridden boolean not null default false,
  primary key (organization_id, rollout_id, number),
  foreign key (organization_id, rollout_id) references rollout (organization_id, id) on delete cascade
);
create index rollout_phase_open on rollout_phase (organization_id, rollout_id)
  where started_at is not null and ended_at is null and halted_at is null and soak_minutes is not null;

-- `readerPosition` of the contract computes the same.
create function reader_position(rollout uuid, serial text) returns integer language sql immutable parallel safe as $$
  select ((('x' || encode(substring(sha256(convert_to(rollout::text || ' ' || serial, 'UTF8')) from 1 for 4), 'hex'))::bit(32)::bigint) % 10000)::integer
$$;

-- Readers of an agent that knows no phases are in the last one.
create function phase_of(ends integer[], phase smallint, knows_phases boolean, rollout uuid, serial text) returns integer language sql immutable parallel safe as $$
  select case when knows_phases is not true then cardinality(ends) when phase > 0 then phase else width_bucket(reader_position(rollout, serial), ends) + 1 end
$$;

create or replace function is_halted(p publication) returns boolean language sql stable as $$
  select p.halted_at is not null or exists (
    select from safety_halt h
    where h.organization_id = p.organization_id and h.rollout_id = p.rollout_id and h.zone_id = p.zone_id and not h.is_resumed)
  or p.phase is not null and exists (
    select from rollout_phase f where f.organization_id = p.organization_id and f.rollout_id = p.rollout_id and f.halted_at is not null)
$$;

-- After `count_outcomes`, so publications are held before phases. The phases are counted anew before a gate decides.
create function count_phases() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in execute format($q$
    select p.organization_id, p.rollout_id, phase_of(r.phase_ends, p.phase, h.knows_phases, p.rollout_id, d.serial_number) as number,
      sum(one * (outcome = 'applied')::int) as applied, sum(one * (outcome = 'failed' and not retrying)::int) as failed
    from (%s) changed
    join publication p on p.organization_id = changed.organization_id and p.id = changed.publication_id and p.phase is not null and p.replaced_at is null
    join rollout r on r.organization_id = p.organization_id and r.id = p.rollout_id
    join device d on d.organization_id = changed.organization_id and d.id = changed.device_id
    left join host h on h.organization_id = d.organization_id and h.id = d.host_id
    where changed.is_here group by 1, 2, 3
    having sum(one * (outcome = 'applied')::int) <> 0 or sum(one * (outcome = 'failed' and not retrying)::int) <> 0 order by 1, 2, 3
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    update rollout_phase f set applied = f.applied + change.applied, failed = f.failed + change.failed
      where f.organization_id = change.organization_id and f.rollout_id = change.rollout_id and f.number = change.number;
  end loop;
  return null;
end $$;
create trigger outcome_phases_insert after insert on outcome referencing new table as after for each statement execute function count_phases();
create trigger outcome_phases_update after update on outcome referencing old table as before new table as after for each statement execute function count_phases();

-- A zone is halted by itself when more than this share of its readers failed. A rollout takes its organization's limit along when it is opened.
alter table organization add column halt_above_percent smallint check (halt_above_percent between 1 and 100);
alter table rollout add column halt_above_percent smallint check (halt_above_percent between 1 and 100);

-- The zones that a rollout's limit has halted, with the figures then, or that somebody resumed beyond it; either way it halts them no more.
-- It stands beside `publication.halted_at`, as whoever stores an outcome holds publications and may not ask for others. Nor for the zone: no reference.
create table safety_halt (
  rollout_id uuid not null references rollout on delete cascade,
  zone_id uuid not null,
  organization_id text not null,
  above_percent smallint not null,
  failed integer not null,
  readers integer not null,
  at timestamptz not null default now(),
  is_resumed boolean not null default false,
  primary key (rollout_id, zone_id)
);

-- Whether no further reader may begin with what was published: by hand, or by the limit.
create function is_halted(p publication) returns boolean language sql stable as $$
  select p.halted_at is not null
    or exists (select from safety_halt h where h.rollout_id = p.rollout_id and h.zone_id = p.zone_id and not h.is_resumed)
$$;

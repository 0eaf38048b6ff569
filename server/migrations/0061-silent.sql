-- Which host PCs are silent (RIT-05, docs/decisions/0081). The server whose stream a host opened last, and since when it is closed; null: it is open. Without a server it never
-- opened one.
alter table host add column stream_server uuid, add column stream_closed_at timestamptz;

-- A server is there while it says so. What it leaves open is closed by the others.
create table server_beat (
  id uuid primary key,
  beat_at timestamptz not null default now(),
  is_stopped boolean not null default false
);

-- Times in which the portal took no check-ins: of all, or of one organization. Not a tenant's table: those of all and those of one are read together.
create table check_in_outage (
  -- Its number; 0: all.
  of_organization integer not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (of_organization, began_at)
);
insert into check_in_outage select 0, max(last_seen_at), now() from host having max(last_seen_at) < now();

-- The instant from which on so much time has passed in which check-ins were taken. Before anything for so long after an outage as `pause` says: then nobody is silent.
create function silent_before(organization integer, span interval, pause interval) returns timestamptz language sql stable parallel safe as $$
  with outage as materialized (
    select lower(one) as began_at, upper(one) as ended_at from (
      select unnest(range_agg(tstzrange(began_at, ended_at))) as one from check_in_outage where of_organization in (0, organization)
    ) merged
  ), measured as (
    select ended_at - began_at as length,
      now() - ended_at - coalesce(sum(ended_at - began_at) over (order by began_at desc rows between unbounded preceding and 1 preceding), interval '0') as taken_since
    from outage
  )
  select case when exists (select from outage where ended_at > now() - pause) then '-infinity'
    else now() - span - coalesce((select sum(length) from measured where taken_since < span), interval '0') end
$$;

alter table rollout_phase rename column offline to silent;
alter table rollout_phase rename column max_offline_percent to max_silent_percent;
update rollout_phase set halted_by = 'silent' where halted_by = 'offline';
update organization set phases = replace(phases::text, '"maxOfflinePercent"', '"maxSilentPercent"')::jsonb where phases <> '[]';

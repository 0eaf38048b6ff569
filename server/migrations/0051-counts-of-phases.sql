-- When a phase was counted last (docs/decisions/0059): the current one of each rollout is at least once an hour.
alter table rollout_phase add column counted_at timestamptz not null default now();
create index rollout_phase_counted on rollout_phase (counted_at) where started_at is not null and ended_at is null;

-- A reader that is deleted has no phase any more, so its outcome stays in the sums until they are counted anew.
create or replace function count_phases() returns trigger language plpgsql as $$
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
  $q$, case tg_op when 'INSERT' then 'select 1 as one, * from after' else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    update rollout_phase f set applied = f.applied + change.applied, failed = f.failed + change.failed
      where f.organization_id = change.organization_id and f.rollout_id = change.rollout_id and f.number = change.number;
  end loop;
  return null;
end $$;

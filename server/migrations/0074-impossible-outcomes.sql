-- Of the failed readers, those that no published command gives the content (decision 97): they count toward no safety limit and no gate.
alter table publication add column impossible integer not null default 0;
alter table rollout_phase add column impossible integer not null default 0;

-- `failed_gone`: failed readers that a retry leaves out, as they have left or no other try can cure them.
create or replace function count_outcomes() returns trigger language plpgsql as $$
declare
  c record;
begin
  for c in execute format($q$
    select organization_id, publication_id, sum(one * (outcome = 'applied')::int)::int as applied,
      sum(one * (outcome = 'failed' and not retrying)::int)::int as failed,
      sum(one * case when outcome = 'kept' then -(is_here::int) else (not is_here)::int end)::int as gone,
      sum(one * (outcome = 'failed' and not retrying and (not is_here or code is not distinct from 'notPossible'))::int)::int as failed_gone,
      sum(one * (outcome = 'failed' and not retrying and code is not distinct from 'notPossible')::int)::int as impossible
    from (%s) changed group by 1, 2 order by 1, 2
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    perform from publication where organization_id = c.organization_id and id = c.publication_id for no key update;
    update publication set applied = applied + c.applied, failed = failed + c.failed, gone = gone + c.gone, failed_gone = failed_gone + c.failed_gone,
        impossible = impossible + c.impossible,
        settled_at = (select max(reported_at) from outcome o
          where o.organization_id = c.organization_id and o.publication_id = c.publication_id and not o.retrying and o.outcome <> 'kept'),
        failed_at = (select max(reported_at) from outcome o
          where o.organization_id = c.organization_id and o.publication_id = c.publication_id and o.outcome = 'failed' and not o.retrying)
      where organization_id = c.organization_id and id = c.publication_id;
  end loop;
  return null;
end $$;

create or replace function count_phases() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in execute format($q$
    select p.organization_id, p.rollout_id, changed.phase as number, sum(one * (outcome = 'kept')::int)::int as kept,
      sum(one * (outcome = 'applied')::int)::int as applied, sum(one * (outcome = 'failed' and not retrying)::int)::int as failed,
      sum(one * (outcome = 'failed' and not retrying and code is not distinct from 'notPossible')::int)::int as impossible
    from (%s) changed
    join publication p on p.organization_id = changed.organization_id and p.id = changed.publication_id and p.phase is not null and p.replaced_at is null
    where changed.is_here and changed.phase is not null group by 1, 2, 3
    having (sum(one * (outcome = 'kept')::int), sum(one * (outcome = 'applied')::int), sum(one * (outcome = 'failed' and not retrying)::int),
      sum(one * (outcome = 'failed' and not retrying and code is not distinct from 'notPossible')::int)) <> (0, 0, 0, 0)
    order by 1, 2, 3
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    update rollout_phase f set readers = f.readers - change.kept, applied = f.applied + change.applied, failed = f.failed + change.failed,
        impossible = f.impossible + change.impossible
      where f.organization_id = change.organization_id and f.rollout_id = change.rollout_id and f.number = change.number;
  end loop;
  return null;
end $$;

update publication p set impossible = o.impossible, failed_gone = p.failed_gone + o.here
  from (
    select organization_id, publication_id, count(*)::int as impossible, (count(*) filter (where is_here))::int as here
    from outcome where outcome = 'failed' and not retrying and code = 'notPossible' group by 1, 2
  ) o where p.organization_id = o.organization_id and p.id = o.publication_id;
update rollout_phase f set impossible = o.impossible
  from (
    select p.organization_id, p.rollout_id, o.phase, count(*)::int as impossible
    from outcome o join publication p on p.organization_id = o.organization_id and p.id = o.publication_id and p.replaced_at is null
    where o.outcome = 'failed' and not o.retrying and o.code = 'notPossible' and o.is_here and o.phase is not null group by 1, 2, 3
  ) o where f.organization_id = o.organization_id and f.rollout_id = o.rollout_id and f.number = o.phase;

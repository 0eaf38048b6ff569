-- Rollouts: what was published with one press of Publish, and what became of it.
create table rollout (
  id uuid primary key,
  organization_id text not null references organization on delete cascade,
  published_by uuid references "user" on delete set null,
  published_at timestamptz not null default now(),
  -- The rollout whose readers this one gives back what they had before.
  rolls_back uuid references rollout on delete set null
);
create index rollout_list on rollout (organization_id, published_at, id);
create index rollout_rolls_back on rollout (rolls_back) where rolls_back is not null;

alter table publication add column rollout_id uuid references rollout on delete cascade;
insert into rollout (id, organization_id, published_by, published_at) select id, organization_id, published_by, published_at from publication;
update publication set rollout_id = id;
alter table publication alter column rollout_id set not null;
create index publication_rollout on publication (rollout_id);

-- The zone's name stays when the zone goes.
alter table publication add column zone_name text;
update publication p set zone_name = z.name from zone z where z.id = p.zone_id;

-- What became of a publication, kept by the statements that change outcomes. `gone` are readers with an outcome that have left the zone.
alter table publication add column applied integer not null default 0;
alter table publication add column failed integer not null default 0;
alter table publication add column gone integer not null default 0;
-- When something newer took its place or its zone was deleted, and how many readers it was for until then.
alter table publication add column replaced_at timestamptz;
alter table publication add column replaced_readers integer;

-- A reader that failed and is being given it once more counts as waiting. One that has left the zone cannot be.
alter table outcome add column retrying boolean not null default false;
alter table outcome add column is_here boolean not null default true;
create index outcome_reported on outcome (publication_id, reported_at);
create index outcome_failed on outcome (publication_id, reported_at) where outcome = 'failed';
create index outcome_retrying on outcome (publication_id) where retrying;
create index progress_told on progress (publication_id, told_at);
create index device_zone_model_offline on device (zone_id, device_type) where offline;

update outcome o set is_here = false from publication p, device d
  where p.id = o.publication_id and d.id = o.device_id and (d.zone_id, d.device_type) is distinct from (p.zone_id, p.device_type);
update outcome o set retrying = true from reapplication a
  where a.publication_id = o.publication_id and a.device_id = o.device_id and a.outcome is null and o.outcome = 'failed' and o.is_here;
update publication p set applied = tally.applied, failed = tally.failed, gone = tally.gone from (
  select publication_id, count(*) filter (where outcome = 'applied') as applied, count(*) filter (where outcome = 'failed' and not retrying) as failed,
    count(*) filter (where not is_here) as gone
  from outcome group by publication_id) tally where tally.publication_id = p.id;
-- Of what was replaced before, nobody kept how many readers it was for.
update publication set replaced_at = now(), replaced_readers = applied + failed
  where id not in (select publication_id from desired_configuration union all select publication_id from desired_firmware);

create function count_outcomes() returns trigger language plpgsql as $$
declare
  change record;
begin
  -- Publications are changed in the order of their ids, so that two reports wait for each other instead of deadlocking.
  if tg_op = 'INSERT' then
    for change in
      select publication_id, count(*) filter (where outcome = 'applied') as applied, count(*) filter (where outcome = 'failed' and not retrying) as failed,
        count(*) filter (where not is_here) as gone
      from after group by publication_id order by publication_id
    loop
      update publication set applied = applied + change.applied, failed = failed + change.failed, gone = gone + change.gone
        where id = change.publication_id;
    end loop;
  elsif tg_op = 'DELETE' then
    for change in
      select publication_id, count(*) filter (where outcome = 'applied') as applied, count(*) filter (where outcome = 'failed' and not retrying) as failed,
        count(*) filter (where not is_here) as gone
      from before group by publication_id order by publication_id
    loop
      update publication set applied = applied - change.applied, failed = failed - change.failed, gone = gone - change.gone
        where id = change.publication_id;
    end loop;
  else
    for change in
      select publication_id, sum(one * (outcome = 'applied')::int) as applied, sum(one * (outcome = 'failed' and not retrying)::int) as failed,
        sum(one * (not is_here)::int) as gone
      from (
        select 1 as one, publication_id, outcome, retrying, is_here from after
        union all
        select -1, publication_id, outcome, retrying, is_here from before
      ) changed
      group by publication_id
      having sum(one * (outcome = 'applied')::int) <> 0 or sum(one * (outcome = 'failed' and not retrying)::int) <> 0 or sum(one * (not is_here)::int) <> 0
      order by publication_id
    loop
      update publication set applied = applied + change.applied, failed = failed + change.failed, gone = gone + change.gone
        where id = change.publication_id;
    end loop;
  end if;
  return null;
end $$;
create trigger outcome_counted_insert after insert on outcome referencing new table as after for each statement execute function count_outcomes();
create trigger outcome_counted_update after update on outcome referencing old table as before new table as after for each statement execute function count_outcomes();
create trigger outcome_counted_delete after delete on outcome referencing old table as before for each statement execute function count_outcomes();

-- Who stores an outcome holds its reader's row, so a reader is either moved before or its outcome is found here.
create function follow_reader() returns trigger language plpgsql as $$
begin
  update outcome o set is_here = h.is_here, retrying = o.retrying and h.is_here
    from (
      select o.publication_id, (p.zone_id = new.zone_id and p.device_type = new.device_type) is true as is_here
      from outcome o join publication p on p.id = o.publication_id
      where o.device_id = new.id and p.replaced_at is null order by o.publication_id for no key update of o
    ) h
    where o.publication_id = h.publication_id and o.device_id = new.id and o.is_here <> h.is_here;
  return null;
end $$;
create trigger device_outcomes_followed after update on device
  for each row when (old.zone_id is distinct from new.zone_id or old.device_type is distinct from new.device_type) execute function follow_reader();

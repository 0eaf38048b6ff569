-- The phase in which a reader was when it had its outcome. A sum is kept for it, so it does not follow the reader to another host PC.
alter table outcome add column phase smallint;

update outcome o set phase = phase_of(r.phase_ends, p.phase, h.knows_phases, p.rollout_id, d.serial_number)
  from publication p join rollout r on r.organization_id = p.organization_id and r.id = p.rollout_id, device d
    left join host h on h.organization_id = d.organization_id and h.id = d.host_id
  where p.organization_id = o.organization_id and p.id = o.publication_id and p.phase is not null
    and d.organization_id = o.organization_id and d.id = o.device_id;

create or replace function count_phases() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in execute format($q$
    select p.organization_id, p.rollout_id, changed.phase as number, sum(one * (outcome = 'kept')::int)::int as kept,
      sum(one * (outcome = 'applied')::int)::int as applied, sum(one * (outcome = 'failed' and not retrying)::int)::int as failed
    from (%s) changed
    join publication p on p.organization_id = changed.organization_id and p.id = changed.publication_id and p.phase is not null and p.replaced_at is null
    where changed.is_here and changed.phase is not null group by 1, 2, 3
    having (sum(one * (outcome = 'kept')::int), sum(one * (outcome = 'applied')::int), sum(one * (outcome = 'failed' and not retrying)::int)) <> (0, 0, 0)
    order by 1, 2, 3
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    update rollout_phase f set readers = f.readers - change.kept, applied = f.applied + change.applied, failed = f.failed + change.failed
      where f.organization_id = change.organization_id and f.rollout_id = change.rollout_id and f.number = change.number;
  end loop;
  return null;
end $$;
create trigger outcome_phases_delete after delete on outcome referencing old table as before for each statement execute function count_phases();

-- Adds readers that have come to phases (`one` is 1), and takes away those that have left (-1). One that keeps what it had is in none.
create function count_phase_readers(organization integer, ones integer[], ids bigint[], serials text[], zones integer[], models device_model[], knows boolean[])
  returns void language plpgsql as $$
declare
  change record;
begin
  for change in
    select p.rollout_id, coalesce(o.phase, phase_of(r.phase_ends, p.phase, d.knows_phases, p.rollout_id, d.serial_number)) as number, sum(d.one)::int as readers
    from unnest(ones, ids, serials, zones, models, knows) as d (one, id, serial_number, zone_id, device_type, knows_phases)
    join publication p on p.organization_id = organization and p.zone_id = d.zone_id and p.device_type = d.device_type
      and p.replaced_at is null and p.phase is not null
    join rollout r on r.organization_id = organization and r.id = p.rollout_id
    left join outcome o on o.organization_id = organization and o.publication_id = p.id and o.device_id = d.id
    where o.outcome is distinct from 'kept' group by 1, 2 having sum(d.one) <> 0 order by 1, 2
  loop
    update rollout_phase f set readers = f.readers + change.readers
      where f.organization_id = organization and f.rollout_id = change.rollout_id and f.number = change.number;
  end loop;
end $$;

create function count_moved_readers() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in execute format($q$
    select d.organization_id, array_agg(one) as ones, array_agg(d.id) as ids, array_agg(d.serial_number) as serials, array_agg(d.zone_id) as zones,
      array_agg(d.device_type) as models, array_agg(h.knows_phases) as knows
    from (%s) d left join host h on h.organization_id = d.organization_id and h.id = d.host_id where d.zone_id is not null group by 1
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    else replace('select 1 as one, a.* from $ union all select -1, b.* from $', '$', 'after a join before b on b.organization_id = a.organization_id and b.id = a.id
      and (a.zone_id, a.device_type, a.host_id) is distinct from (b.zone_id, b.device_type, b.host_id)') end)
  loop
    perform count_phase_readers(change.organization_id, change.ones, change.ids, change.serials, change.zones, change.models, change.knows);
  end loop;
  return null;
end $$;
create trigger device_phases_insert after insert on device referencing new table as after for each statement execute function count_moved_readers();
create trigger device_phases_update after update on device referencing old table as before new table as after
  for each statement execute function count_moved_readers();

-- Before, as its outcomes go with it.
create function count_removed_reader() returns trigger language plpgsql as $$
begin
  perform count_phase_readers(old.organization_id, array[-1], array[old.id], array[old.serial_number], array[old.zone_id], array[old.device_type],
    array[(select h.knows_phases from host h where h.organization_id = old.organization_id and h.id = old.host_id)]);
  return old;
end $$;
create trigger device_phases_delete before delete on device for each row when (old.zone_id is not null) execute function count_removed_reader();

create function count_readers_of_host() returns trigger language plpgsql as $$
begin
  perform count_phase_readers(new.organization_id, array_agg(v.one), array_agg(d.id), array_agg(d.serial_number), array_agg(d.zone_id), array_agg(d.device_type),
    array_agg(v.knows_phases))
    from device d, (values (1, new.knows_phases), (-1, old.knows_phases)) v (one, knows_phases)
    where d.organization_id = new.organization_id and d.host_id = new.id;
  return null;
end $$;
create trigger host_phases_known after update of knows_phases on host for each row when (old.knows_phases is distinct from new.knows_phases)
  execute function count_readers_of_host();

-- Roll back gives each reader back what it had itself, and touches no other (docs/decisions/0072).

-- `for_readers`: it is for the readers of `publication_reader` alone; others are for all readers of zone and model. `replaced_id`: what the zone desired before it.
-- `withdrawn`: a roll back has ended it, with this number of its zone's withdrawals, and `withdrawn_by` is that roll back. `returned_at`: a roll back has made it desired again.
-- `keeps_previous`: what its readers ran before is kept with their outcomes.
alter table publication
  add column for_readers boolean not null default false,
  add column replaced_id uuid,
  add column withdrawn integer,
  add column withdrawn_by uuid,
  add column returned_at timestamptz,
  add column keeps_previous boolean not null default false;
alter table publication alter column keeps_previous set default true;
create index publication_withdrawn on publication (organization_id, withdrawn_by) where withdrawn_by is not null;
create index publication_withdrawn_zone on publication (organization_id, zone_id, device_type) where withdrawn_by is not null;
create index publication_for_readers on publication (organization_id, zone_id) where for_readers and replaced_at is null;
update publication p set replaced_id = (
    select q.id from publication q where q.organization_id = p.organization_id and q.zone_id = p.zone_id and q.device_type = p.device_type
      and q.kind = p.kind and q.revision < p.revision order by q.revision desc limit 1)
  where p.replaced_at is null;

-- Roll backs of the zone; a host PC says of how many it has stopped what they took back.
alter table zone add column withdrawals integer not null default 0;
alter table host add column withdrawals integer not null default 0;

create table publication_reader (
  organization_id integer not null,
  publication_id uuid not null,
  device_id bigint not null,
  -- Still in the zone, and of the model.
  is_here boolean not null default true,
  primary key (organization_id, publication_id, device_id),
  foreign key (organization_id, publication_id) references publication (organization_id, id) on delete cascade,
  foreign key (organization_id, device_id) references device (organization_id, id) on delete cascade
);
create index publication_reader_device on publication_reader (organization_id, device_id);

-- What a reader ran before a publication changed it, of firmware or configuration; 0: it reported nothing. With its outcome, or here until there is one.
alter table outcome add column previous_id integer;
create table previous_content (
  organization_id integer not null,
  publication_id uuid not null,
  device_id bigint not null,
  reported_id integer not null,
  primary key (organization_id, publication_id, device_id),
  foreign key (organization_id, publication_id) references publication (organization_id, id) on delete cascade,
  foreign key (organization_id, device_id) references device (organization_id, id) on delete cascade
);

-- `kept`: the publication is not for this reader, which keeps what it had when a roll back made the publication desired again.
alter table outcome drop constraint outcome_outcome_check;
alter table outcome add constraint outcome_outcome_check check (outcome in ('applied', 'failed', 'kept'));

-- `present` of a publication for some readers is how many of them are here.
create function count_publication_readers() returns trigger language plpgsql as $$
declare
  c record;
begin
  for c in execute format($q$
    select organization_id, publication_id, sum(one * is_here::int)::int as readers from (%s) changed group by 1, 2
    having sum(one * is_here::int) <> 0 order by 1, 2
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    update publication set present = present + c.readers where organization_id = c.organization_id and id = c.publication_id;
  end loop;
  return null;
end $$;
create trigger publication_reader_added after insert on publication_reader referencing new table as after
  for each statement execute function count_publication_readers();
create trigger publication_reader_changed after update on publication_reader referencing old table as before new table as after
  for each statement execute function count_publication_readers();
create trigger publication_reader_removed after delete on publication_reader referencing old table as before
  for each statement execute function count_publication_readers();

-- Who stores an outcome holds its reader's row, so a reader is either moved before or its outcome is found here.
create or replace function follow_reader() returns trigger language plpgsql as $$
begin
  update outcome o set is_here = h.is_here, retrying = o.retrying and h.is_here
    from (
      select o.publication_id, (p.zone_id = new.zone_id and p.device_type = new.device_type) is true as is_here
      from outcome o join publication p on p.organization_id = new.organization_id and p.id = o.publication_id
      where o.organization_id = new.organization_id and o.device_id = new.id and p.replaced_at is null order by o.publication_id for no key update of o
    ) h
    where o.organization_id = new.organization_id and o.publication_id = h.publication_id and o.device_id = new.id and o.is_here <> h.is_here;
  update publication_reader r set is_here = h.is_here
    from (
      select r.publication_id, (p.zone_id = new.zone_id and p.device_type = new.device_type) is true as is_here
      from publication_reader r join publication p on p.organization_id = new.organization_id and p.id = r.publication_id
      where r.organization_id = new.organization_id and r.device_id = new.id and p.replaced_at is null order by r.publication_id for no key update of r
    ) h
    where r.organization_id = new.organization_id and r.publication_id = h.publication_id and r.device_id = new.id and r.is_here <> h.is_here;
  return null;
end $$;

-- A reader that keeps what it had is none of the publication's: it takes one off the readers of zone and model, as long as it is among them.
create or replace function count_outcomes() returns trigger language plpgsql as $$
declare
  c record;
begin
  for c in execute format($q$
    select organization_id, publication_id, sum(one * (outcome = 'applied')::int)::int as applied,
      sum(one * (outcome = 'failed' and not retrying)::int)::int as failed,
      sum(one * case when outcome = 'kept' then -(is_here::int) else (not is_here)::int end)::int as gone,
      sum(one * (outcome = 'failed' and not retrying and not is_here)::int)::int as failed_gone
    from (%s) changed group by 1, 2 order by 1, 2
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    perform from publication where organization_id = c.organization_id and id = c.publication_id for no key update;
    update publication set applied = applied + c.applied, failed = failed + c.failed, gone = gone + c.gone, failed_gone = failed_gone + c.failed_gone,
        settled_at = (select max(reported_at) from outcome o
          where o.organization_id = c.organization_id and o.publication_id = c.publication_id and not o.retrying and o.outcome <> 'kept'),
        failed_at = (select max(reported_at) from outcome o
          where o.organization_id = c.organization_id and o.publication_id = c.publication_id and o.outcome = 'failed' and not o.retrying)
      where organization_id = c.organization_id and id = c.publication_id;
  end loop;
  return null;
end $$;

-- What is rolled back is looked up among readers, so nothing of it is guessed at the publish.
drop trigger publication_begun on publication;
create or replace function begin_publication() returns trigger language plpgsql as $$
begin
  perform from zone where organization_id = new.organization_id and id = new.zone_id for no key update;
  new.present := coalesce((
    select sum(total) from device_count
    where organization_id = new.organization_id and zone_id = new.zone_id and device_type = new.device_type), 0);
  new.number := coalesce((
    select max(number) + 1 from publication p where p.organization_id = new.organization_id and p.rollout_id = new.rollout_id), 0);
  new.names_zone := not exists (
    select from publication p where p.organization_id = new.organization_id and p.rollout_id = new.rollout_id and p.zone_id = new.zone_id);
  return new;
end $$;
create trigger publication_begun before insert on publication for each row when (new.number < 0) execute function begin_publication();
create or replace function count_publications() returns trigger language plpgsql as $$
declare
  c record;
begin
  for c in execute format($q$
    select * from (
      select organization_id, rollout_id, device_type, number / 32 as block, sum(one)::int as parts, sum(one * names_zone::int)::int as zones,
        sum(one * readers)::int as readers, sum(one * applied)::int as applied, sum(one * failed)::int as failed,
        sum(one * open * is_replaced::int)::int as replaced, sum(one * (is_replaced and (open > 0 or readers = 0))::int)::int as ended,
        sum(one * (applied + failed) * (not is_replaced or open = 0)::int)::int as settled,
        sum(one * open * (not is_replaced and halted_at is not null)::int)::int as halted, sum(one * (not is_replaced)::int)::int as current,
        sum(one * (not is_replaced and halted_at is not null)::int)::int as held,
        sum(one * (failed - failed_gone) * (not is_replaced)::int)::int as retryable
      from (%s) changed, lateral (select replaced_at is not null as is_replaced,
          case when replaced_at is null then present + gone else greatest(replaced_readers, applied + failed) end as readers) r,
        lateral (select readers - applied - failed as open) o
      group by 1, 2, 3, 4
    ) delta where (parts, zones, readers, applied, failed, replaced, ended, settled, halted, current, held, retryable)
      <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    insert into rollout_count (organization_id, rollout_id, device_type, block, parts, zones, readers, applied, failed, replaced, ended, settled, halted, current,
        held, retryable)
      values (c.organization_id, c.rollout_id, c.device_type, c.block, c.parts, c.zones, c.readers, c.applied, c.failed, c.replaced, c.ended, c.settled, c.halted,
        c.current, c.held, c.retryable);
  end loop;
  return null;
end $$;
alter table rollout_count drop column returnable;
alter table publication drop column has_previous, drop column ran_firmware, drop column ran_readers;

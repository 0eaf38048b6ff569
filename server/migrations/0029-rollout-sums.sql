-- What a rollout comes to is kept (docs/decisions/0042), so that its line in the list and its page read no more of its zones and readers than they show.

-- `present`: readers of zone and model, as the fold last counted them; changed since is what `present_change` names. `names_zone`: it is the first of its zone in its
-- rollout: those are the zones that are named and counted. `has_previous`: something was published there before. `failed_gone`: failed readers that have left.
-- `settled_at`, `failed_at`: when its newest outcome and its newest failure were reported.
alter table publication
  add column settled_at timestamptz,
  add column failed_at timestamptz,
  add column present integer not null default 0,
  add column failed_gone integer not null default 0,
  add column names_zone boolean not null default false,
  add column has_previous boolean not null default false;
create index publication_current on publication (organization_id, zone_id, device_type) where replaced_at is null;
drop index publication_rollout;
create index publication_rollout on publication (organization_id, rollout_id, lower(zone_name), zone_id);
create index publication_settled on publication (organization_id, rollout_id, settled_at) where settled_at is not null;
create index publication_failed on publication (organization_id, rollout_id, failed_at) where failed_at is not null;

-- The newest outcomes of a rollout are those of the publications that settled last.
drop index outcome_reported, outcome_failed, progress_reported;
create index outcome_reported on outcome (organization_id, publication_id, reported_at) where not retrying;
create index outcome_failed on outcome (organization_id, publication_id, reported_at) where outcome = 'failed' and not retrying;
alter table progress add column rollout_id uuid;
update progress g set rollout_id = p.rollout_id from publication p where p.organization_id = g.organization_id and p.id = g.publication_id;
alter table progress alter column rollout_id set not null;
create index progress_rollout on progress (organization_id, rollout_id, reported_at) where device_id is not null;

-- Zones and models whose number of readers has changed since the fold counted them.
create table present_change (
  organization_id integer not null,
  zone_id integer not null,
  device_type device_model not null
);
create index present_change_zone on present_change (organization_id, zone_id);
create function note_present_change() returns trigger language plpgsql as $$
begin
  insert into present_change (organization_id, zone_id, device_type) values (new.organization_id, new.zone_id, new.device_type);
  return null;
end $$;
create trigger device_count_noted after insert on device_count
  for each row when (not new.is_folded and new.zone_id <> 0 and new.total <> 0) execute function note_present_change();

-- What a rollout holds for which model, each once.
create table rollout_content (
  organization_id integer not null,
  rollout_id uuid not null,
  device_type device_model not null,
  content text not null,
  content_hash text not null,
  file_name text,
  version text,
  unique nulls not distinct (organization_id, rollout_id, device_type, content, content_hash, file_name, version),
  foreign key (organization_id, rollout_id) references rollout (organization_id, id) on delete cascade
);

-- Sums over the publications of a rollout; they are the sums of these rows, as in `device_count`. `replaced`: readers that something newer came
-- before. `ended`: publications that were replaced before all their readers were served. `settled`: outcomes of the others. `current`: publications that are not
-- replaced; of those `held` are halted by hand, with `halted` readers without an outcome; `returnable` have a previous one. `retryable`: their failed readers that are still there.
create table rollout_count (
  organization_id integer not null,
  rollout_id uuid not null,
  parts integer not null,
  zones integer not null,
  readers integer not null,
  applied integer not null,
  failed integer not null,
  replaced integer not null,
  ended integer not null,
  settled integer not null,
  halted integer not null,
  current integer not null,
  held integer not null,
  returnable integer not null,
  retryable integer not null,
  is_folded boolean not null default false
);
create index rollout_count_rollout on rollout_count (organization_id, rollout_id);
create index rollout_count_new on rollout_count (organization_id) where not is_folded;

-- Whoever publishes in a zone holds it, and so does the fold: so no change of its readers is folded between this count and the end of the publish.
create function begin_publication() returns trigger language plpgsql as $$
begin
  perform from zone where organization_id = new.organization_id and id = new.zone_id for no key update;
  new.present := coalesce((
    select sum(total) from device_count
    where organization_id = new.organization_id and zone_id = new.zone_id and device_type = new.device_type), 0);
  new.names_zone := not exists (
    select from publication p where p.organization_id = new.organization_id and p.rollout_id = new.rollout_id and p.zone_id = new.zone_id);
  new.has_previous := exists (
    select from publication p where p.organization_id = new.organization_id and p.zone_id = new.zone_id and p.device_type = new.device_type
      and (p.content = 'firmware') = (new.content = 'firmware') and p.revision < new.revision);
  return new;
end $$;

create function count_publications() returns trigger language plpgsql as $$
declare
  c record;
begin
  for c in execute format($q$
    select * from (
      select organization_id, rollout_id, sum(one)::int as parts, sum(one * names_zone::int)::int as zones, sum(one * readers)::int as readers, sum(one * applied)::int as applied,
        sum(one * failed)::int as failed, sum(one * open * is_replaced::int)::int as replaced,
        sum(one * (is_replaced and (open > 0 or readers = 0))::int)::int as ended,
        sum(one * (applied + failed) * (not is_replaced or open = 0)::int)::int as settled,
        sum(one * open * (not is_replaced and halted_at is not null)::int)::int as halted, sum(one * (not is_replaced)::int)::int as current,
        sum(one * (not is_replaced and halted_at is not null)::int)::int as held, sum(one * (not is_replaced and has_previous)::int)::int as returnable,
        sum(one * (failed - failed_gone) * (not is_replaced)::int)::int as retryable
      from (%s) changed, lateral (select replaced_at is not null as is_replaced,
          case when replaced_at is null then present + gone else greatest(replaced_readers, applied + failed) end as readers) r,
        lateral (select readers - applied - failed as open) o
      group by 1, 2
    ) delta where (parts, zones, readers, applied, failed, replaced, ended, settled, halted, current, held, returnable, retryable)
      <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    insert into rollout_count (organization_id, rollout_id, parts, zones, readers, applied, failed, replaced, ended, settled, halted, current, held, returnable,
        retryable)
      values (c.organization_id, c.rollout_id, c.parts, c.zones, c.readers, c.applied, c.failed, c.replaced, c.ended, c.settled, c.halted, c.current, c.held,
        c.returnable, c.retryable);
  end loop;
  return null;
end $$;

-- Publications are changed in the order of their ids, so that two reports wait for each other instead of deadlocking; the newest is looked for once its row is held.
create or replace function count_outcomes() returns trigger language plpgsql as $$
declare
  c record;
begin
  for c in execute format($q$
    select organization_id, publication_id, sum(one * (outcome = 'applied')::int)::int as applied,
      sum(one * (outcome = 'failed' and not retrying)::int)::int as failed, sum(one * (not is_here)::int)::int as gone,
      sum(one * (outcome = 'failed' and not retrying and not is_here)::int)::int as failed_gone
    from (%s) changed group by 1, 2 order by 1, 2
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    perform from publication where organization_id = c.organization_id and id = c.publication_id for no key update;
    update publication set applied = applied + c.applied, failed = failed + c.failed, gone = gone + c.gone, failed_gone = failed_gone + c.failed_gone,
        settled_at = (select max(reported_at) from outcome o where o.organization_id = c.organization_id and o.publication_id = c.publication_id and not o.retrying),
        failed_at = (select max(reported_at) from outcome o
          where o.organization_id = c.organization_id and o.publication_id = c.publication_id and o.outcome = 'failed' and not o.retrying)
      where organization_id = c.organization_id and id = c.publication_id;
  end loop;
  return null;
end $$;

create function note_content() returns trigger language plpgsql as $$
begin
  insert into rollout_content (organization_id, rollout_id, device_type, content, content_hash, file_name, version)
    values (new.organization_id, new.rollout_id, new.device_type, new.content, new.content_hash, new.file_name, new.version) on conflict do nothing;
  return null;
end $$;

update publication p set
  present = case when replaced_at is not null then 0 else coalesce((
    select sum(total) from device_count c where c.organization_id = p.organization_id and c.zone_id = p.zone_id and c.device_type = p.device_type), 0) end,
  names_zone = not exists (
    select from publication q where q.organization_id = p.organization_id and q.rollout_id = p.rollout_id
      and coalesce(q.zone_id::text, q.zone_name) = coalesce(p.zone_id::text, p.zone_name) and q.id < p.id),
  has_previous = exists (
    select from publication q where q.organization_id = p.organization_id and q.zone_id = p.zone_id and q.device_type = p.device_type
      and (q.content = 'firmware') = (p.content = 'firmware') and q.revision < p.revision),
  failed_gone = (select count(*) from outcome o
    where o.organization_id = p.organization_id and o.publication_id = p.id and o.outcome = 'failed' and not o.retrying and not o.is_here),
  settled_at = (select max(reported_at) from outcome o where o.organization_id = p.organization_id and o.publication_id = p.id and not o.retrying),
  failed_at = (select max(reported_at) from outcome o
    where o.organization_id = p.organization_id and o.publication_id = p.id and o.outcome = 'failed' and not o.retrying);
insert into rollout_content select distinct organization_id, rollout_id, device_type, content, content_hash, file_name, version from publication;
insert into rollout_count (organization_id, rollout_id, parts, zones, readers, applied, failed, replaced, ended, settled, halted, current, held, returnable, retryable,
    is_folded)
  select organization_id, rollout_id, count(*), sum(names_zone::int), sum(readers), sum(applied), sum(failed), sum(open * is_replaced::int),
    sum((is_replaced and (open > 0 or readers = 0))::int), sum((applied + failed) * (not is_replaced or open = 0)::int),
    sum(open * (not is_replaced and halted_at is not null)::int), sum((not is_replaced)::int), sum((not is_replaced and halted_at is not null)::int),
    sum((not is_replaced and has_previous)::int), sum((failed - failed_gone) * (not is_replaced)::int), true
  from publication, lateral (select replaced_at is not null as is_replaced,
      case when replaced_at is null then present + gone else greatest(replaced_readers, applied + failed) end as readers) r,
    lateral (select readers - applied - failed as open) o
  group by 1, 2;

create trigger publication_begun before insert on publication for each row execute function begin_publication();
create trigger publication_content after insert on publication for each row execute function note_content();
create trigger publication_counted_insert after insert on publication referencing new table as after for each statement execute function count_publications();
create trigger publication_counted_update after update on publication referencing old table as before new table as after
  for each statement execute function count_publications();
create trigger publication_counted_delete after delete on publication referencing old table as before for each statement execute function count_publications();

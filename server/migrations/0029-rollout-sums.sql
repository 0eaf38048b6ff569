-- What a rollout comes to is kept (docs/decisions/0042), so that its line in the list reads no zone and no reader.

-- Of zone and model, as the fold last counted them; changed since is what `present_change` names. And whether it is the first of its zone in its
-- rollout: those are the zones that the list names and counts.
alter table publication
  add column present integer not null default 0,
  add column names_zone boolean not null default false;
create index publication_current on publication (organization_id, zone_id, device_type) where replaced_at is null;
create index publication_zone_name on publication (organization_id, rollout_id, lower(zone_name), zone_id) where names_zone;

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

-- What a rollout holds, each once.
create table rollout_content (
  organization_id integer not null,
  rollout_id uuid not null,
  content text not null,
  content_hash text not null,
  file_name text,
  version text,
  unique nulls not distinct (organization_id, rollout_id, content, content_hash, file_name, version),
  foreign key (organization_id, rollout_id) references rollout (organization_id, id) on delete cascade
);

-- Sums over the publications of a rollout; they are the sums of these rows, as in `device_count`. `replaced`: readers that something newer came
-- before. `ended`: publications that were replaced before all their readers were served. `settled`: outcomes of the others. `halted`: readers without an outcome in
-- halted publications.
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
        sum(one * open * (not is_replaced and halted_at is not null)::int)::int as halted
      from (%s) changed, lateral (select replaced_at is not null as is_replaced,
          case when replaced_at is null then present + gone else greatest(replaced_readers, applied + failed) end as readers) r,
        lateral (select readers - applied - failed as open) o
      group by 1, 2
    ) delta where (parts, zones, readers, applied, failed, replaced, ended, settled, halted) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    insert into rollout_count (organization_id, rollout_id, parts, zones, readers, applied, failed, replaced, ended, settled, halted)
      values (c.organization_id, c.rollout_id, c.parts, c.zones, c.readers, c.applied, c.failed, c.replaced, c.ended, c.settled, c.halted);
  end loop;
  return null;
end $$;

create function note_content() returns trigger language plpgsql as $$
begin
  insert into rollout_content (organization_id, rollout_id, content, content_hash, file_name, version)
    values (new.organization_id, new.rollout_id, new.content, new.content_hash, new.file_name, new.version) on conflict do nothing;
  return null;
end $$;

update publication p set
  present = case when replaced_at is not null then 0 else coalesce((
    select sum(total) from device_count c where c.organization_id = p.organization_id and c.zone_id = p.zone_id and c.device_type = p.device_type), 0) end,
  names_zone = not exists (
    select from publication q where q.organization_id = p.organization_id and q.rollout_id = p.rollout_id
      and coalesce(q.zone_id::text, q.zone_name) = coalesce(p.zone_id::text, p.zone_name) and q.id < p.id);
insert into rollout_content select distinct organization_id, rollout_id, content, content_hash, file_name, version from publication;
insert into rollout_count (organization_id, rollout_id, parts, zones, readers, applied, failed, replaced, ended, settled, halted, is_folded)
  select organization_id, rollout_id, count(*), sum(names_zone::int), sum(readers), sum(applied), sum(failed), sum(open * is_replaced::int),
    sum((is_replaced and (open > 0 or readers = 0))::int), sum((applied + failed) * (not is_replaced or open = 0)::int),
    sum(open * (not is_replaced and halted_at is not null)::int), true
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

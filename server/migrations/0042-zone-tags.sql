-- Tags of zones, and one call that publishes to many zones (docs/decisions/0055).

-- Written as whoever used it first wrote it. One that no zone has any more is removed.
create table tag (
  organization_id integer not null references organization (id) on delete cascade,
  id integer generated always as identity,
  name text not null,
  primary key (organization_id, id)
);
create unique index tag_name on tag (organization_id, lower(name));
create table zone_tag (
  organization_id integer not null,
  zone_id integer not null,
  tag_id integer not null,
  primary key (organization_id, zone_id, tag_id),
  foreign key (organization_id, zone_id) references zone (organization_id, id) on delete cascade,
  foreign key (organization_id, tag_id) references tag (organization_id, id) on delete cascade
);
create index zone_tag_tag on zone_tag (organization_id, tag_id);

-- Files that a publish may name by their hash, for a day.
create type upload_kind as enum ('script', 'firmware-file');
create table upload (
  organization_id integer not null references organization (id) on delete cascade,
  kind upload_kind not null,
  content_hash text not null,
  file_name text not null,
  size bigint not null,
  uploaded_at timestamptz not null default now(),
  primary key (organization_id, kind, content_hash, file_name)
);
create index upload_content on upload (content_hash);
create index upload_uploaded on upload (uploaded_at);

-- Of the call that published to many zones: the same key with another body is refused.
alter table rollout add column request_hash text;

-- Who publishes to many zones at once has counted all of it in one statement: such a row comes with its number.
alter table publication alter column number set default -1;
create or replace function begin_publication() returns trigger language plpgsql as $$
begin
  if new.number >= 0 then
    return new;
  end if;
  perform from zone where organization_id = new.organization_id and id = new.zone_id for no key update;
  new.present := coalesce((
    select sum(total) from device_count
    where organization_id = new.organization_id and zone_id = new.zone_id and device_type = new.device_type), 0);
  new.number := coalesce((
    select max(number) + 1 from publication p where p.organization_id = new.organization_id and p.rollout_id = new.rollout_id), 0);
  new.names_zone := not exists (
    select from publication p where p.organization_id = new.organization_id and p.rollout_id = new.rollout_id and p.zone_id = new.zone_id);
  new.has_previous := exists (
    select from publication p where p.organization_id = new.organization_id and p.zone_id = new.zone_id and p.device_type = new.device_type
      and (p.content = 'firmware') = (new.content = 'firmware') and p.revision < new.revision);
  if new.content = 'firmware' and not new.has_previous then
    select array_agg(firmware_id order by readers desc, firmware_id desc), array_agg(readers order by readers desc, firmware_id desc)
      into new.ran_firmware, new.ran_readers
      from (
        select firmware_id, count(*)::integer as readers from device
        where organization_id = new.organization_id and zone_id = new.zone_id and device_type = new.device_type and firmware_id is not null group by 1
      ) ran;
    new.has_previous := coalesce((
      select r.version_order is distinct from new.version_order
      from unnest(new.ran_firmware) with ordinality as ran (id, place)
      join reported_firmware f on f.organization_id = new.organization_id and f.id = ran.id
      join firmware_release r on r.device_type = new.device_type and r.version_order = f.version_order and r.is_offered
      order by ran.place limit 1), false);
  end if;
  return new;
end $$;

-- What a rollout holds, once for a statement in place of once for a row.
drop trigger publication_content on publication;
drop function note_content();
create function keep_contents() returns trigger language plpgsql as $$
begin
  insert into rollout_content (organization_id, rollout_id, device_type, content, content_hash, file_name, version)
    select distinct organization_id, rollout_id, device_type, content, content_hash, file_name, version from after on conflict do nothing;
  return null;
end $$;
create trigger publication_content after insert on publication referencing new table as after for each statement execute function keep_contents();

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
drop trigger publication_begun on publication;
create trigger publication_begun before insert on publication for each row when (new.number < 0) execute function begin_publication();

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

-- Drift from what a zone desires ends with a new publication: once for a statement in place of once for each zone and model.
drop trigger desired_firmware_drift on desired_firmware;
drop trigger desired_configuration_drift on desired_configuration;
create or replace function forget_drift_of_model() returns trigger language plpgsql as $$
declare
  of_firmware boolean := tg_argv[0] = 'firmware';
begin
  update device set configuration_drifted = configuration_drifted and of_firmware, firmware_drifted = firmware_drifted and not of_firmware
    where (organization_id, id) in (
      select d.organization_id, d.id from after join device d
        on d.organization_id = after.organization_id and d.zone_id = after.zone_id and d.device_type = after.device_type
      where d.drifted and case when of_firmware then d.firmware_drifted else d.configuration_drifted end
      order by d.serial_number for no key update of d);
  return null;
end $$;
create trigger desired_firmware_added after insert on desired_firmware
  referencing new table as after for each statement execute function forget_drift_of_model('firmware');
create trigger desired_firmware_changed after update on desired_firmware
  referencing new table as after for each statement execute function forget_drift_of_model('firmware');
create trigger desired_configuration_added after insert on desired_configuration
  referencing new table as after for each statement execute function forget_drift_of_model('configuration');
create trigger desired_configuration_changed after update on desired_configuration
  referencing new table as after for each statement execute function forget_drift_of_model('configuration');

-- Configuration and firmware are two kinds of one thing that is published, desired and given (docs/decisions/0071).
create type content_kind as enum ('configuration', 'firmware');

alter table publication add column kind content_kind not null
  generated always as (case when content = 'firmware' then 'firmware'::content_kind else 'configuration'::content_kind end) stored;
drop index publication_revision;
create unique index publication_revision on publication (organization_id, zone_id, device_type, kind, revision);

-- One content of a kind per zone and model; its row is what two publishers wait for.
create table desired (
  organization_id integer not null,
  zone_id integer not null,
  device_type device_model not null,
  kind content_kind not null,
  publication_id uuid not null,
  revision integer not null,
  primary key (organization_id, zone_id, device_type, kind),
  foreign key (organization_id, zone_id) references zone (organization_id, id) on delete cascade,
  foreign key (organization_id, publication_id) references publication (organization_id, id) on delete cascade
);
insert into desired (organization_id, zone_id, device_type, kind, publication_id, revision)
  select organization_id, zone_id, device_type, 'configuration'::content_kind, publication_id, revision from desired_configuration
  union all
  select organization_id, zone_id, device_type, 'firmware'::content_kind, publication_id, revision from desired_firmware;
drop table desired_configuration, desired_firmware;

-- What is published anew, nobody has had yet. Rows are locked in the order of a check-in.
create or replace function forget_drift_of_model() returns trigger language plpgsql as $$
begin
  with changed as (
    select organization_id, zone_id, device_type, bool_or(kind = 'configuration') as configuration, bool_or(kind = 'firmware') as firmware
    from after group by 1, 2, 3
  ), held as (
    select d.organization_id, d.id, c.configuration, c.firmware from changed c
    join device d on d.organization_id = c.organization_id and d.zone_id = c.zone_id and d.device_type = c.device_type
    where d.drifted and (d.configuration_drifted and c.configuration or d.firmware_drifted and c.firmware)
    order by d.serial_number for no key update of d
  )
  update device d set configuration_drifted = d.configuration_drifted and not held.configuration, firmware_drifted = d.firmware_drifted and not held.firmware
    from held where d.organization_id = held.organization_id and d.id = held.id;
  return null;
end $$;
create trigger desired_added after insert on desired referencing new table as after for each statement execute function forget_drift_of_model();
create trigger desired_changed after update on desired referencing new table as after for each statement execute function forget_drift_of_model();

create or replace function keep_drift() returns trigger language plpgsql as $$
begin
  if not has_room_for_event(new.organization_id, new.id) then
    return null;
  end if;
  if new.configuration_drifted and (not old.configuration_drifted or new.configuration_id is distinct from old.configuration_id) then
    insert into device_event (organization_id, device_id, kind, reported_id, publication_id)
      values (new.organization_id, new.id, 'configurationDrifted', new.configuration_id, (
        select publication_id from desired
        where organization_id = new.organization_id and zone_id = new.zone_id and device_type = new.device_type and kind = 'configuration'));
  elsif old.configuration_drifted and not new.configuration_drifted and new.configuration_id is distinct from old.configuration_id
      and new.zone_id = old.zone_id then
    insert into device_event (organization_id, device_id, kind, reported_id) values (new.organization_id, new.id, 'configurationReturned', new.configuration_id);
  end if;
  if new.firmware_drifted and (not old.firmware_drifted or new.firmware_id is distinct from old.firmware_id) then
    insert into device_event (organization_id, device_id, kind, reported_id, publication_id)
      values (new.organization_id, new.id, 'firmwareDrifted', new.firmware_id, (
        select publication_id from desired
        where organization_id = new.organization_id and zone_id = new.zone_id and device_type = new.device_type and kind = 'firmware'));
  elsif old.firmware_drifted and not new.firmware_drifted and new.firmware_id is distinct from old.firmware_id and new.zone_id = old.zone_id then
    insert into device_event (organization_id, device_id, kind, reported_id) values (new.organization_id, new.id, 'firmwareReturned', new.firmware_id);
  end if;
  return null;
end $$;

-- A firmware drifts as a configuration does. What drifted is kept apart; a reader has drifted when either has.
alter table device rename column drifted to configuration_drifted;
alter table device
  add column firmware_drifted boolean not null default false,
  add column drifted boolean not null generated always as (configuration_drifted or firmware_drifted) stored;

drop index device_type_drifted, device_serial_drifted, device_zone_drifted, device_host_name_drifted, device_zone_model_drifted;
create index device_type_drifted on device (organization_id, device_type, id) where drifted;
create index device_serial_drifted on device (organization_id, serial_number, id) where drifted;
create index device_zone_drifted on device (organization_id, lower(zone_name), id) where drifted;
create index device_host_name_drifted on device (organization_id, lower(host_name), id) where drifted;
create index device_zone_model_drifted on device (zone_id, device_type) where drifted;

drop trigger device_drift_marked on device;
create trigger device_drift_marked after update on device
  for each row when (old.drifted is distinct from new.drifted) execute function mark_drift();

create or replace function forget_drift() returns trigger language plpgsql as $$
begin
  new.configuration_drifted := false;
  new.firmware_drifted := false;
  return new;
end $$;
drop trigger device_drift_forgotten on device;
create trigger device_drift_forgotten before update of zone_id on device
  for each row when (new.zone_id is null and (new.configuration_drifted or new.firmware_drifted)) execute function forget_drift();

create or replace function forget_drift_of_model() returns trigger language plpgsql as $$
declare
  of_firmware boolean := tg_table_name = 'desired_firmware';
begin
  update device set configuration_drifted = configuration_drifted and of_firmware, firmware_drifted = firmware_drifted and not of_firmware where id in (
    select id from device where zone_id = new.zone_id and device_type = new.device_type and drifted
      and case when of_firmware then firmware_drifted else configuration_drifted end
    order by serial_number for no key update);
  return null;
end $$;
create trigger desired_firmware_drift after insert or update of publication_id on desired_firmware
  for each row execute function forget_drift_of_model();

-- A firmware's version with its numbers padded, as readers' versions are; null where the file is the customer's own.
alter table publication add column version_order text;
update publication p set version_order = (
  select string_agg(case when part[1] ~ '^[0-9]' then lpad(ltrim(part[1], '0'), greatest(12, length(ltrim(part[1], '0'))), '0') else part[1] end, '' order by place)
  from regexp_matches(lower(p.version), '[0-9]+|[^0-9]+', 'g') with ordinality as found (part, place))
  where version is not null;

-- How many readers of a zone and model report a version, kept by the statements that change readers. So `device` has it as well.
alter table device add column firmware_order text;
update device d set firmware_order = s.firmware_order from device_state s where s.device_id = d.id and s.firmware_order is not null;

create table firmware_count (
  organization_id text not null references organization on delete cascade,
  device_type text not null,
  firmware_order text not null,
  zone_id uuid,
  total integer not null default 0,
  unique nulls not distinct (organization_id, device_type, firmware_order, zone_id)
);
insert into firmware_count (organization_id, device_type, firmware_order, zone_id, total)
  select organization_id, device_type, firmware_order, zone_id, count(*) from device where firmware_order is not null group by 1, 2, 3, 4;
create index device_count_model on device_count (organization_id, device_type);

create function count_firmware() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into firmware_count as c (organization_id, device_type, firmware_order, zone_id, total)
      select organization_id, device_type, firmware_order, zone_id, count(*) from after
      where firmware_order is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (organization_id, device_type, firmware_order, zone_id) do update set total = c.total + excluded.total;
  elsif tg_op = 'DELETE' then
    insert into firmware_count as c (organization_id, device_type, firmware_order, zone_id, total)
      select b.organization_id, b.device_type, b.firmware_order, b.zone_id, -count(*) from before b join organization o on o.id = b.organization_id
      where b.firmware_order is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (organization_id, device_type, firmware_order, zone_id) do update set total = c.total + excluded.total;
  else
    insert into firmware_count as c (organization_id, device_type, firmware_order, zone_id, total)
      select organization_id, device_type, firmware_order, zone_id, sum(one)
      from (
        select 1 as one, organization_id, device_type, firmware_order, zone_id from after
        union all
        select -1, organization_id, device_type, firmware_order, zone_id from before
      ) changed
      where firmware_order is not null group by 1, 2, 3, 4 having sum(one) <> 0 order by 1, 2, 3, 4
      on conflict (organization_id, device_type, firmware_order, zone_id) do update set total = c.total + excluded.total;
  end if;
  return null;
end $$;
create trigger device_firmware_counted_insert after insert on device referencing new table as after for each statement execute function count_firmware();
create trigger device_firmware_counted_update after update on device referencing old table as before new table as after for each statement execute function count_firmware();
create trigger device_firmware_counted_delete after delete on device referencing old table as before for each statement execute function count_firmware();

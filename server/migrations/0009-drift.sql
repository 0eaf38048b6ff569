-- A reader has drifted when it had been brought to what its zone wants and says now that it runs something else. A check-in marks it.
alter table device add column drifted boolean not null default false;
alter table device_state add column drifted boolean not null default false;

create index device_type_drifted on device (organization_id, device_type, id) where drifted;
create index device_serial_drifted on device (organization_id, serial_number, id) where drifted;
create index device_zone_drifted on device (organization_id, lower(zone_name), id) where drifted;
create index device_host_name_drifted on device (organization_id, lower(host_name), id) where drifted;
create index device_zone_model_drifted on device (zone_id, device_type) where drifted;
create index device_state_seen_drifted on device_state (organization_id, last_seen_at, device_id) where drifted;
create index device_state_battery_drifted on device_state (organization_id, battery_health, device_id) where drifted;
create index device_state_firmware_drifted on device_state (organization_id, firmware_order, device_id) where drifted;

-- Both tables carry the mark; whoever changes it in `device` has changed it in both.
create function mark_drift() returns trigger language plpgsql as $$
begin
  update device_state set drifted = new.drifted where device_id = new.id;
  return null;
end $$;
create trigger device_drift_marked after update of drifted on device
  for each row when (old.drifted is distinct from new.drifted) execute function mark_drift();

-- A reader of no zone has nothing to drift from.
create function forget_drift() returns trigger language plpgsql as $$
begin
  new.drifted := false;
  return new;
end $$;
create trigger device_drift_forgotten before update of zone_id on device
  for each row when (new.zone_id is null and new.drifted) execute function forget_drift();

-- What is published anew, nobody has had yet. Rows are locked in the order of a check-in.
create function forget_drift_of_model() returns trigger language plpgsql as $$
begin
  update device set drifted = false where id in (
    select id from device where zone_id = new.zone_id and device_type = new.device_type and drifted order by serial_number for no key update);
  return null;
end $$;
create trigger desired_configuration_drift after insert or update of publication_id on desired_configuration
  for each row execute function forget_drift_of_model();

alter table device_count add column drifted integer not null default 0;
create or replace function count_devices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into device_count as c
      (organization_id, zone_id, device_type, total, offline, low_battery, warranty_due, drifted)
      select organization_id, zone_id, device_type, count(*), count(*) filter (where offline), count(*) filter (where low_battery),
        count(*) filter (where warranty_due), count(*) filter (where drifted)
      from after group by organization_id, zone_id, device_type order by organization_id, zone_id, device_type
      on conflict (organization_id, zone_id, device_type) do update set total = c.total + excluded.total, offline = c.offline + excluded.offline,
        low_battery = c.low_battery + excluded.low_battery, warranty_due = c.warranty_due + excluded.warranty_due, drifted = c.drifted + excluded.drifted;
  elsif tg_op = 'DELETE' then
    insert into device_count as c
      (organization_id, zone_id, device_type, total, offline, low_battery, warranty_due, drifted)
      select b.organization_id, b.zone_id, b.device_type, -count(*), -count(*) filter (where b.offline), -count(*) filter (where b.low_battery),
        -count(*) filter (where b.warranty_due), -count(*) filter (where b.drifted)
      from before b join organization o on o.id = b.organization_id group by 1, 2, 3 order by 1, 2, 3
      on conflict (organization_id, zone_id, device_type) do update set total = c.total + excluded.total, offline = c.offline + excluded.offline,
        low_battery = c.low_battery + excluded.low_battery, warranty_due = c.warranty_due + excluded.warranty_due, drifted = c.drifted + excluded.drifted;
  else
    insert into device_count as c
      (organization_id, zone_id, device_type, total, offline, low_battery, warranty_due, drifted)
      select organization_id, zone_id, device_type, sum(one), sum(one * offline::int), sum(one * low_battery::int), sum(one * warranty_due::int),
        sum(one * drifted::int)
      from (
        select 1 as one, organization_id, zone_id, device_type, offline, low_battery, warranty_due, drifted from after
        union all
        select -1, organization_id, zone_id, device_type, offline, low_battery, warranty_due, drifted from before
      ) changed
      group by organization_id, zone_id, device_type
      having sum(one) <> 0 or sum(one * offline::int) <> 0 or sum(one * low_battery::int) <> 0 or sum(one * warranty_due::int) <> 0
        or sum(one * drifted::int) <> 0
      order by organization_id, zone_id, device_type
      on conflict (organization_id, zone_id, device_type) do update set total = c.total + excluded.total, offline = c.offline + excluded.offline,
        low_battery = c.low_battery + excluded.low_battery, warranty_due = c.warranty_due + excluded.warranty_due, drifted = c.drifted + excluded.drifted;
  end if;
  return null;
end $$;

-- A publication that one reader shall be given once more. Its id stands for the publication in what the host is told and reports.
create table reapplication (
  id uuid primary key,
  organization_id text not null references organization on delete cascade,
  publication_id uuid not null references publication on delete cascade,
  device_id uuid not null references device on delete cascade,
  requested_by uuid references "user" on delete set null,
  requested_at timestamptz not null default now(),
  outcome text check (outcome in ('applied', 'failed')),
  reason text,
  happened_at timestamptz
);
-- One at a time a reader, however often somebody asks.
create unique index reapplication_open on reapplication (publication_id, device_id) where outcome is null;
create index reapplication_device on reapplication (device_id, publication_id, requested_at);

-- Readers. What describes a reader is here; what changes with each check-in is in the narrow device_state.
-- A reader's standing (offline, low battery, warranty due) is kept in both, so that either side's sort can be read
-- from an index of just those readers. It changes rarely. `offline` and `warranty_due` also change with time alone:
-- a sweep writes them, and every query adds the readers that have become due since (see devices/list.ts).
create table device (
  id uuid primary key,
  organization_id text not null references organization on delete cascade,
  serial_number text not null,
  device_type text not null,
  zone_id uuid references zone on delete set null,
  zone_name text,
  host_id uuid references host on delete set null,
  host_name text,
  warranty_until date,
  offline boolean not null default false,
  low_battery boolean not null default false,
  warranty_due boolean not null default false,
  created_at timestamptz not null default now(),
  search text not null generated always as
    (lower(device_type || ' ' || serial_number || ' ' || coalesce(zone_name, '') || ' ' || coalesce(host_name, ''))) stored,
  unique (organization_id, serial_number)
);

create table device_state (
  device_id uuid primary key references device on delete cascade,
  organization_id text not null,
  last_seen_at timestamptz not null,
  battery_health real,
  -- Script's file name, or "CFG" and the beginning of the hash.
  current_config text,
  config_hash text,
  current_firmware text,
  -- The version with its numbers padded, so that 4.10 sorts after 4.9.
  firmware_order text,
  -- When configuration or firmware last changed.
  last_updated_at timestamptz not null,
  offline boolean not null default false,
  low_battery boolean not null default false,
  warranty_due boolean not null default false
) with (fillfactor = 80);

-- Search by trigrams within an organization.
create extension if not exists btree_gin;
create index device_search on device using gin (organization_id, search gin_trgm_ops);
create index device_zone_model on device (zone_id, device_type);
create index device_host on device (host_id);

-- One index for each sort and each tile. Each serves both directions; readers without a value are read apart, so they come last in both.
create index device_type on device (organization_id, device_type, id);
create index device_type_offline on device (organization_id, device_type, id) where offline;
create index device_type_battery on device (organization_id, device_type, id) where low_battery;
create index device_type_warranty on device (organization_id, device_type, id) where warranty_due;
create index device_serial_offline on device (organization_id, serial_number, id) where offline;
create index device_serial_battery on device (organization_id, serial_number, id) where low_battery;
create index device_serial_warranty on device (organization_id, serial_number, id) where warranty_due;
create index device_serial on device (organization_id, serial_number, id);
create index device_zone on device (organization_id, lower(zone_name), id);
create index device_zone_offline on device (organization_id, lower(zone_name), id) where offline;
create index device_zone_battery on device (organization_id, lower(zone_name), id) where low_battery;
create index device_zone_warranty on device (organization_id, lower(zone_name), id) where warranty_due;
create index device_host_name on device (organization_id, lower(host_name), id);
create index device_host_name_offline on device (organization_id, lower(host_name), id) where offline;
create index device_host_name_battery on device (organization_id, lower(host_name), id) where low_battery;
create index device_host_name_warranty on device (organization_id, lower(host_name), id) where warranty_due;
create index device_state_seen on device_state (organization_id, last_seen_at, device_id);
create index device_state_seen_offline on device_state (organization_id, last_seen_at, device_id) where offline;
create index device_state_seen_battery on device_state (organization_id, last_seen_at, device_id) where low_battery;
create index device_state_seen_warranty on device_state (organization_id, last_seen_at, device_id) where warranty_due;
create index device_state_battery on device_state (organization_id, battery_health, device_id);
create index device_state_battery_offline on device_state (organization_id, battery_health, device_id) where offline;
create index device_state_battery_battery on device_state (organization_id, battery_health, device_id) where low_battery;
create index device_state_battery_warranty on device_state (organization_id, battery_health, device_id) where warranty_due;
create index device_state_firmware on device_state (organization_id, firmware_order, device_id);
create index device_state_firmware_offline on device_state (organization_id, firmware_order, device_id) where offline;
create index device_state_firmware_battery on device_state (organization_id, firmware_order, device_id) where low_battery;
create index device_state_firmware_warranty on device_state (organization_id, firmware_order, device_id) where warranty_due;

-- What the sweep has not marked yet.
create index device_state_not_offline on device_state (organization_id, last_seen_at) where not offline;
create index device_warranty_not_due on device (organization_id, warranty_until) where not warranty_due;

-- Exact counts a zone and model, kept by the statements that change readers.
create table device_count (
  organization_id text not null references organization on delete cascade,
  zone_id uuid,
  device_type text not null,
  total integer not null default 0,
  offline integer not null default 0,
  low_battery integer not null default 0,
  warranty_due integer not null default 0,
  unique nulls not distinct (organization_id, zone_id, device_type)
);

create function count_devices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into device_count as c
      select organization_id, zone_id, device_type, count(*), count(*) filter (where offline), count(*) filter (where low_battery), count(*) filter (where warranty_due)
      from after group by organization_id, zone_id, device_type order by organization_id, zone_id, device_type
      on conflict (organization_id, zone_id, device_type) do update set total = c.total + excluded.total, offline = c.offline + excluded.offline,
        low_battery = c.low_battery + excluded.low_battery, warranty_due = c.warranty_due + excluded.warranty_due;
  elsif tg_op = 'DELETE' then
    insert into device_count as c
      select b.organization_id, b.zone_id, b.device_type, -count(*), -count(*) filter (where b.offline), -count(*) filter (where b.low_battery), -count(*) filter (where b.warranty_due)
      from before b join organization o on o.id = b.organization_id group by 1, 2, 3 order by 1, 2, 3
      on conflict (organization_id, zone_id, device_type) do update set total = c.total + excluded.total, offline = c.offline + excluded.offline,
        low_battery = c.low_battery + excluded.low_battery, warranty_due = c.warranty_due + excluded.warranty_due;
  else
    insert into device_count as c
      select organization_id, zone_id, device_type, sum(one), sum(one * offline::int), sum(one * low_battery::int), sum(one * warranty_due::int)
      from (
        select 1 as one, organization_id, zone_id, device_type, offline, low_battery, warranty_due from after
        union all
        select -1, organization_id, zone_id, device_type, offline, low_battery, warranty_due from before
      ) changed
      group by organization_id, zone_id, device_type
      having sum(one) <> 0 or sum(one * offline::int) <> 0 or sum(one * low_battery::int) <> 0 or sum(one * warranty_due::int) <> 0
      order by organization_id, zone_id, device_type
      on conflict (organization_id, zone_id, device_type) do update set total = c.total + excluded.total, offline = c.offline + excluded.offline,
        low_battery = c.low_battery + excluded.low_battery, warranty_due = c.warranty_due + excluded.warranty_due;
  end if;
  return null;
end $$;
create trigger device_counted_insert after insert on device referencing new table as after for each statement execute function count_devices();
create trigger device_counted_update after update on device referencing old table as before new table as after for each statement execute function count_devices();
create trigger device_counted_delete after delete on device referencing old table as before for each statement execute function count_devices();

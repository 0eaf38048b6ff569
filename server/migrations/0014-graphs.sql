-- What the graphs show. Devices that have reported within 365 days, and counts of them that the statements which change them keep exact.
-- A count's organization_id is null where it is of all organizations.
create table reported_device (
  organization_id text not null references organization on delete cascade,
  -- A reader's serial number, or what the scanner app calls its device.
  device_id text collate "C" not null,
  -- Its latest report; null only inside the transaction that adds it.
  reported_at timestamptz,
  day date generated always as ((reported_at at time zone 'UTC')::date) stored,
  model text collate "C",
  os text collate "C",
  city text collate "C",
  latitude double precision,
  longitude double precision,
  -- The UTC days on which it has reported.
  days datemultirange not null default '{}',
  primary key (organization_id, device_id)
) with (fillfactor = 80);
create index reported_device_day on reported_device (day, organization_id);

-- Devices that have reported on a day.
create table device_day (
  organization_id text references organization on delete cascade,
  day date not null,
  devices integer not null,
  unique nulls not distinct (organization_id, day)
);

-- Devices by what their latest report says. A city is where its devices are on average: the sum of their places as vectors of length 10^6,
-- which knows no date line.
create table device_tally (
  organization_id text references organization on delete cascade,
  kind text collate "C" not null,
  value text collate "C" not null,
  devices integer not null,
  x bigint not null,
  y bigint not null,
  z bigint not null,
  unique nulls not distinct (organization_id, kind, value)
);
create index device_tally_largest on device_tally (organization_id, kind, devices desc, value) include (x, y, z) where devices > 0;
create index device_tally_none on device_tally (organization_id) where devices = 0;

-- Rows are locked in one order everywhere: by organization, all of them last, since everybody waits for those.
create function count_reported_devices() returns trigger language plpgsql as $$
declare
  -- Days before are not shown, so they need not be counted.
  shown datemultirange := datemultirange(daterange((now() at time zone 'UTC')::date - 365, null));
  moved text := case tg_op
    when 'INSERT' then 'select organization_id, days as come, datemultirange() as gone from after'
    when 'DELETE' then 'select organization_id, datemultirange() as come, days as gone from before'
    else 'select a.organization_id, a.days - b.days as come, b.days - a.days as gone from after a join before b using (organization_id, device_id) where a.days <> b.days' end;
  changed text := case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end;
begin
  -- A day's count changes where spans of days begin and end, so only those are counted, and then what is between them.
  execute format($q$
    insert into device_day as c (organization_id, day, devices)
    select id, day + n, change from (
      select id, day, sum(sum(step)) over spans as change, lead(day) over spans - day as length
      from (%s) moved, lateral (values (1, come * $1), (-1, gone * $1)) part (one, days), unnest(part.days) span,
        lateral (values (lower(span), one), (upper(span), -one)) edge (day, step), lateral (values (organization_id), (null)) scope (id)
      group by id, day window spans as (partition by id order by day)
    ) delta, generate_series(0, length - 1) n
    where change <> 0 and (id is null or exists (select from organization o where o.id = delta.id))
    order by id nulls last, day + n
    on conflict (organization_id, day) do update set devices = c.devices + excluded.devices
  $q$, moved) using shown;
  execute format($q$
    insert into device_tally as c (organization_id, kind, value, devices, x, y, z)
    select * from (
      select scope.id, kind, value, sum(one), sum(one * x) as x, sum(one * y) as y, sum(one * z) as z
      from (%s) changed, lateral (values ('model', model, 0, 0, 0), ('os', os, 0, 0, 0), ('city', city, round(1e6 * cosd(latitude) * cosd(longitude)),
        round(1e6 * cosd(latitude) * sind(longitude)), round(1e6 * sind(latitude)))) part (kind, value, x, y, z),
        lateral (values (organization_id), (null)) scope (id)
      where value is not null
      group by 1, 2, 3 having sum(one) <> 0 or sum(one * x) <> 0 or sum(one * y) <> 0 or sum(one * z) <> 0
    ) delta where id is null or exists (select from organization o where o.id = delta.id)
    order by id nulls last, kind, value
    on conflict (organization_id, kind, value) do update
      set devices = c.devices + excluded.devices, x = c.x + excluded.x, y = c.y + excluded.y, z = c.z + excluded.z
  $q$, changed);
  return null;
end $$;
create trigger reported_device_added after insert on reported_device referencing new table as after
  for each statement execute function count_reported_devices();
create trigger reported_device_changed after update on reported_device referencing old table as before new table as after
  for each statement execute function count_reported_devices();
create trigger reported_device_removed after delete on reported_device referencing old table as before
  for each statement execute function count_reported_devices();

-- Serial numbers that licences name, and devices whose decoder was used: one row for both, so that neither can miss the other.
create table decode_use (
  organization_id text not null references organization on delete cascade,
  serial_number text collate "C" not null,
  -- How many licences name it.
  licences integer not null default 0,
  -- The latest UTC day on which its decoder was used, within 365 days.
  used_on date,
  primary key (organization_id, serial_number)
);
create index decode_use_day on decode_use (used_on, organization_id) where used_on is not null;
create index decode_use_none on decode_use (organization_id) where licences = 0 and used_on is null;

create table licence_tally (
  organization_id text references organization on delete cascade,
  total integer not null,
  using_decode integer not null,
  unique nulls not distinct (organization_id)
);

create function count_decode_use() returns trigger language plpgsql as $$
begin
  execute format($q$
    insert into licence_tally as c (organization_id, total, using_decode)
    select * from (
      select scope.id, sum(one * licences) as total, coalesce(sum(one * licences) filter (where used_on is not null), 0) as using_decode
      from (%s) changed, lateral (values (organization_id), (null)) scope (id) group by 1
    ) delta where (total, using_decode) <> (0, 0) and (id is null or exists (select from organization o where o.id = delta.id))
    order by id nulls last
    on conflict (organization_id) do update set total = c.total + excluded.total, using_decode = c.using_decode + excluded.using_decode
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end);
  return null;
end $$;
create trigger decode_use_added after insert on decode_use referencing new table as after for each statement execute function count_decode_use();
create trigger decode_use_changed after update on decode_use referencing old table as before new table as after
  for each statement execute function count_decode_use();
create trigger decode_use_removed after delete on decode_use referencing old table as before for each statement execute function count_decode_use();

-- A licence counts once for each serial number that it names.
create function note_licensed_devices() returns trigger language plpgsql as $$
begin
  execute format($q$
    insert into decode_use as u (organization_id, serial_number, licences)
    select * from (
      select organization_id, serial_number, sum(one) as licences
      from (%s) changed, unnest(serial_numbers) serial_number group by 1, 2 having sum(one) <> 0
    ) delta where exists (select from organization o where o.id = delta.organization_id)
    order by organization_id, serial_number
    on conflict (organization_id, serial_number) do update set licences = u.licences + excluded.licences
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, organization_id, serial_numbers from after'
    when 'DELETE' then 'select -1 as one, organization_id, serial_numbers from before'
    else 'select 1 as one, organization_id, serial_numbers from after union all select -1, organization_id, serial_numbers from before' end);
  return null;
end $$;
create trigger license_serials_added after insert on license referencing new table as after for each statement execute function note_licensed_devices();
create trigger license_serials_changed after update on license referencing old table as before new table as after
  for each statement execute function note_licensed_devices();
create trigger license_serials_removed after delete on license referencing old table as before
  for each statement execute function note_licensed_devices();

-- What is known already: when each reader was seen last, and what licences name.
insert into reported_device (organization_id, device_id, reported_at, model, days)
  select d.organization_id, d.serial_number, s.last_seen_at, d.device_type, datemultirange(daterange(seen.day, seen.day + 1))
  from device d join device_state s on s.device_id = d.id, lateral (values ((s.last_seen_at at time zone 'UTC')::date)) seen (day)
  where seen.day > (now() at time zone 'UTC')::date - 365;
insert into decode_use (organization_id, serial_number, licences)
  select organization_id, serial_number, count(*) from license, unnest(serial_numbers) serial_number group by 1, 2;

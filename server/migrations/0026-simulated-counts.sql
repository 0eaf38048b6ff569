-- How many of the readers that are counted do not exist (docs/decisions/0040). A count is the sum of its rows, so those that are there stay as they are.
create index device_simulated on device (organization_id, id) where simulated;
alter table device_count add column simulated integer not null default 0;
insert into device_count (organization_id, zone_id, device_type, total, offline, low_battery, warranty_due, drifted, simulated)
  select organization_id, coalesce(zone_id, 0), device_type, 0, 0, 0, 0, 0, count(*) from device where simulated group by 1, 2, 3;
create index device_total_simulated on device_total (organization_id) include (simulated) where simulated <> 0;

create or replace function count_devices() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end;
  tiles text := 'sum(one)::int as total, sum(one * offline::int)::int as offline, sum(one * low_battery::int)::int as low_battery,
    sum(one * warranty_due::int)::int as warranty_due, sum(one * drifted::int)::int as drifted, sum(one * simulated::int)::int as simulated';
  is_changed text := '(total, offline, low_battery, warranty_due, drifted, simulated) <> (0, 0, 0, 0, 0, 0)';
  c record;
begin
  for c in execute format('select * from (select organization_id, coalesce(zone_id, 0) as zone_id, device_type, %s from (%s) changed group by 1, 2, 3) c
      where %s', tiles, changed, is_changed) loop
    insert into device_count (organization_id, zone_id, device_type, total, offline, low_battery, warranty_due, drifted, simulated)
      values (c.organization_id, c.zone_id, c.device_type, c.total, c.offline, c.low_battery, c.warranty_due, c.drifted, c.simulated);
  end loop;
  for c in execute format('select * from (select organization_id, %s from (%s) changed group by 1) c where %s', tiles, changed, is_changed) loop
    insert into device_total (organization_id, total, offline, low_battery, warranty_due, drifted, simulated)
      values (c.organization_id, c.total, c.offline, c.low_battery, c.warranty_due, c.drifted, c.simulated);
  end loop;
  for c in execute format('select organization_id, coalesce(zone_id, 0) as zone_id, device_type, firmware_id, sum(one)::int as total from (%s) changed
      where firmware_id is not null group by 1, 2, 3, 4 having sum(one) <> 0', changed) loop
    insert into firmware_count (organization_id, zone_id, device_type, firmware_id, total)
      values (c.organization_id, c.zone_id, c.device_type, c.firmware_id, c.total);
  end loop;
  return null;
end $$;

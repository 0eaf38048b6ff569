-- How many readers have a firmware, in each tile: so a sort by firmware asks none that nobody has (SCL-01). A count is the sum of its rows.
create table firmware_total (
  organization_id integer not null,
  firmware_id integer not null,
  total integer not null,
  offline integer not null,
  low_battery integer not null,
  warranty_due integer not null,
  drifted integer not null,
  is_folded boolean not null default false
);
create index firmware_total_organization on firmware_total (organization_id);
create index firmware_total_new on firmware_total (organization_id) where not is_folded;
insert into firmware_total (organization_id, firmware_id, total, offline, low_battery, warranty_due, drifted, is_folded)
  select organization_id, firmware_id, count(*), count(*) filter (where offline), count(*) filter (where low_battery),
    count(*) filter (where warranty_due), count(*) filter (where drifted), true
  from device where firmware_id is not null group by 1, 2;

-- Transition tables are read alone, and each row is written as values: so a distributed PostgreSQL takes this function as well.
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
  for c in execute format('select * from (
        select organization_id, firmware_id, grouping(firmware_id) = 1 as is_all, %s
        from (%s) changed group by grouping sets ((organization_id), (organization_id, firmware_id))
      ) c where %s', tiles, changed, is_changed) loop
    if c.is_all then
      insert into device_total (organization_id, total, offline, low_battery, warranty_due, drifted, simulated)
        values (c.organization_id, c.total, c.offline, c.low_battery, c.warranty_due, c.drifted, c.simulated);
    elsif c.firmware_id is not null then
      insert into firmware_total (organization_id, firmware_id, total, offline, low_battery, warranty_due, drifted)
        values (c.organization_id, c.firmware_id, c.total, c.offline, c.low_battery, c.warranty_due, c.drifted);
    end if;
  end loop;
  for c in execute format('select organization_id, coalesce(zone_id, 0) as zone_id, device_type, firmware_id, sum(one)::int as total from (%s) changed
      where firmware_id is not null group by 1, 2, 3, 4 having sum(one) <> 0', changed) loop
    insert into firmware_count (organization_id, zone_id, device_type, firmware_id, total)
      values (c.organization_id, c.zone_id, c.device_type, c.firmware_id, c.total);
  end loop;
  return null;
end $$;

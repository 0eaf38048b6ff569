-- A page of a rollout's readers begins where it is wanted (docs/decisions/0042): the sums of a rollout are kept for every 32 publications of it and each model.

-- `number`: its place among those of its rollout, in the order in which they were published.
alter table publication add column number integer not null default 0;
update publication p set number = n.number from (
  select organization_id, id, row_number() over (partition by organization_id, rollout_id order by lower(zone_name), zone_id, device_type, content = 'firmware', id) - 1 as number
  from publication) n
  where p.organization_id = n.organization_id and p.id = n.id;
create index publication_number on publication (organization_id, rollout_id, number);

create or replace function begin_publication() returns trigger language plpgsql as $$
begin
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
  return new;
end $$;

-- `block`: its publications have the numbers from 32 times that on.
delete from rollout_count;
alter table rollout_count add column device_type device_model not null, add column block integer not null;

create or replace function count_publications() returns trigger language plpgsql as $$
declare
  c record;
begin
  for c in execute format($q$
    select * from (
      select organization_id, rollout_id, device_type, number / 32 as block, sum(one)::int as parts, sum(one * names_zone::int)::int as zones,
        sum(one * readers)::int as readers, sum(one * applied)::int as applied, sum(one * failed)::int as failed,
        sum(one * open * is_replaced::int)::int as replaced, sum(one * (is_replaced and (open > 0 or readers = 0))::int)::int as ended,
        sum(one * (applied + failed) * (not is_replaced or open = 0)::int)::int as settled,
        sum(one * open * (not is_replaced and halted_at is not null)::int)::int as halted, sum(one * (not is_replaced)::int)::int as current,
        sum(one * (not is_replaced and halted_at is not null)::int)::int as held, sum(one * (not is_replaced and has_previous)::int)::int as returnable,
        sum(one * (failed - failed_gone) * (not is_replaced)::int)::int as retryable
      from (%s) changed, lateral (select replaced_at is not null as is_replaced,
          case when replaced_at is null then present + gone else greatest(replaced_readers, applied + failed) end as readers) r,
        lateral (select readers - applied - failed as open) o
      group by 1, 2, 3, 4
    ) delta where (parts, zones, readers, applied, failed, replaced, ended, settled, halted, current, held, returnable, retryable)
      <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  $q$, case tg_op
    when 'INSERT' then 'select 1 as one, * from after'
    when 'DELETE' then 'select -1 as one, * from before'
    else 'select 1 as one, * from after union all select -1, * from before' end)
  loop
    insert into rollout_count (organization_id, rollout_id, device_type, block, parts, zones, readers, applied, failed, replaced, ended, settled, halted, current,
        held, returnable, retryable)
      values (c.organization_id, c.rollout_id, c.device_type, c.block, c.parts, c.zones, c.readers, c.applied, c.failed, c.replaced, c.ended, c.settled, c.halted,
        c.current, c.held, c.returnable, c.retryable);
  end loop;
  return null;
end $$;

insert into rollout_count (organization_id, rollout_id, device_type, block, parts, zones, readers, applied, failed, replaced, ended, settled, halted, current, held,
    returnable, retryable, is_folded)
  select organization_id, rollout_id, device_type, number / 32, count(*), sum(names_zone::int), sum(readers), sum(applied), sum(failed),
    sum(open * is_replaced::int), sum((is_replaced and (open > 0 or readers = 0))::int), sum((applied + failed) * (not is_replaced or open = 0)::int),
    sum(open * (not is_replaced and halted_at is not null)::int), sum((not is_replaced)::int), sum((not is_replaced and halted_at is not null)::int),
    sum((not is_replaced and has_previous)::int), sum((failed - failed_gone) * (not is_replaced)::int), true
  from publication, lateral (select replaced_at is not null as is_replaced,
      case when replaced_at is null then present + gone else greatest(replaced_readers, applied + failed) end as readers) r,
    lateral (select readers - applied - failed as open) o
  group by 1, 2, 3, 4;

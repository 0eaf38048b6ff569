-- When runs may be (docs/decisions/0058): weekly windows and blocked days, on the clock of each host PC. Of the organization where `zone_id` is null. `windows`: null for
-- the organization's, none for any time.
create table schedule (
  organization_id integer not null references organization (id) on delete cascade,
  zone_id integer,
  windows jsonb,
  blocked_days jsonb not null default '[]',
  unique nulls not distinct (organization_id, zone_id),
  foreign key (organization_id, zone_id) references zone (organization_id, id) on delete cascade
);

-- What holds in a zone; null where nothing was set.
create function open_times(organization integer, zone integer) returns jsonb language sql stable as $$
  select jsonb_build_object(
      'windows', coalesce((select s.windows from schedule s where s.organization_id = organization and s.zone_id = zone), o.windows, '[]'),
      'blockedDays', coalesce(o.blocked_days, '[]')
        || coalesce((select s.blocked_days from schedule s where s.organization_id = organization and s.zone_id = zone), '[]'))
  from (select) one left join schedule o on o.organization_id = organization and o.zone_id is null
  where exists (select from schedule s where s.organization_id = organization)
$$;

-- The day of the first update, where it was moved to one.
alter table publication add column start_date date;

-- What is recorded (docs/decisions/0062): who did it where no person did, one entry of the audit log per rollout, and the history of a reader.

-- `host_name`: the host PC that did it. `rollout_id`: the rollout that it is of. Of the entries of a rollout, `depth` says which represents others: 0 for all of them, 1 for
-- those of its zone, 2 for a model of it, 3 for one reader. Entries that were written before have none of it and read as they did.
alter table audit_entry
  drop column search,
  add column host_name text,
  add column rollout_id uuid,
  add column depth smallint not null default 0,
  add column search text not null generated always as
    (lower(coalesce(initiator_name, '') || ' ' || coalesce(initiator_email, '') || ' ' || coalesce(zone_name, '') || ' ' ||
      coalesce(device_serial, '') || ' ' || coalesce(target, '') || ' ' || coalesce(config_name, '') || ' ' || coalesce(version, '') || ' ' ||
      coalesce(new_value, '') || ' ' || coalesce(host_name, ''))) stored;
create index audit_entry_search on audit_entry using gin (organization_id, search gin_trgm_ops);
create index audit_entry_head on audit_entry (organization_id, in_effect_since, id) where depth = 0;
create index audit_entry_head_person on audit_entry (organization_id, initiator_email, in_effect_since, id)
  where initiator_email is not null and depth = 0;
create index audit_entry_head_zone on audit_entry (organization_id, zone_name, in_effect_since, id) where zone_name is not null and depth <= 1;
create index audit_entry_rollout on audit_entry (organization_id, rollout_id, in_effect_since, id) where rollout_id is not null;

-- Entries of depth 0.
alter table audit_count add column heads integer not null default 0;
update audit_count set heads = amount;
-- What the entry of a rollout represents: zones, models in them, and installations on readers.
create table audit_fold (
  organization_id integer not null,
  rollout_id uuid not null,
  zones integer not null,
  parts integer not null,
  readers integer not null,
  is_folded boolean not null default false
);
create index audit_fold_rollout on audit_fold (organization_id, rollout_id);
create index audit_fold_new on audit_fold (organization_id) where not is_folded;

create or replace function count_audit_entries() returns trigger language plpgsql as $$
begin
  insert into audit_count (organization_id, change_type, amount, heads)
    select organization_id, change_type, count(*), count(*) filter (where depth = 0) from added group by 1, 2;
  insert into audit_fold (organization_id, rollout_id, zones, parts, readers)
    select organization_id, rollout_id, count(*) filter (where is_part and depth <= 1), count(*) filter (where is_part), count(*) filter (where depth = 3)
    from added, lateral (select change_type in ('ZoneConfigChange', 'ZoneFirmwareChange') as is_part) p
    where rollout_id is not null and (is_part or depth = 3) group by 1, 2;
  return null;
end $$;

-- The day of UTC on which a reader was first reported follows from its number, as numbers only grow: it is the first day whose last number is no less. Of readers that were
-- there before this was kept it is -infinity. So no reader's row is wider.
create table device_id_day (
  day date primary key,
  last_id bigint not null
);
insert into device_id_day (day, last_id) select '-infinity', coalesce(max(id), 0) from device;

-- What nothing else keeps of a reader's past: failures that another outcome took the place of, and drift. `publication_id`: what failed, or what its zone desired.
-- `reported_id`: what it ran instead, of firmware or configuration.
create type device_event_kind as enum ('failed', 'configurationDrifted', 'configurationReturned', 'firmwareDrifted', 'firmwareReturned');
create table device_event (
  organization_id integer not null,
  reported_id integer,
  device_id bigint not null,
  at timestamptz not null default now(),
  id bigint generated always as identity,
  publication_id uuid,
  kind device_event_kind not null,
  reason text,
  primary key (organization_id, device_id, at, id),
  foreign key (organization_id, device_id) references device (organization_id, id) on delete cascade
);
drop index outcome_device;
create index outcome_device on outcome (organization_id, device_id, happened_at);

-- So many a day: a reader may drift back and forth for ever.
create function has_room_for_event(organization integer, device bigint) returns boolean language sql stable as $$
  select count(*) < 20 from device_event e where e.organization_id = organization and e.device_id = device and e.at > now() - interval '1 day'
$$;

-- Of a reader that left its zone, and of one whose zone desires something else now, no drift ends: nobody brought it back.
create function keep_drift() returns trigger language plpgsql as $$
begin
  if not has_room_for_event(new.organization_id, new.id) then
    return null;
  end if;
  if new.configuration_drifted and (not old.configuration_drifted or new.configuration_id is distinct from old.configuration_id) then
    insert into device_event (organization_id, device_id, kind, reported_id, publication_id)
      values (new.organization_id, new.id, 'configurationDrifted', new.configuration_id, (
        select publication_id from desired_configuration
        where organization_id = new.organization_id and zone_id = new.zone_id and device_type = new.device_type));
  elsif old.configuration_drifted and not new.configuration_drifted and new.configuration_id is distinct from old.configuration_id
      and new.zone_id = old.zone_id then
    insert into device_event (organization_id, device_id, kind, reported_id) values (new.organization_id, new.id, 'configurationReturned', new.configuration_id);
  end if;
  if new.firmware_drifted and (not old.firmware_drifted or new.firmware_id is distinct from old.firmware_id) then
    insert into device_event (organization_id, device_id, kind, reported_id, publication_id)
      values (new.organization_id, new.id, 'firmwareDrifted', new.firmware_id, (
        select publication_id from desired_firmware
        where organization_id = new.organization_id and zone_id = new.zone_id and device_type = new.device_type));
  elsif old.firmware_drifted and not new.firmware_drifted and new.firmware_id is distinct from old.firmware_id and new.zone_id = old.zone_id then
    insert into device_event (organization_id, device_id, kind, reported_id) values (new.organization_id, new.id, 'firmwareReturned', new.firmware_id);
  end if;
  return null;
end $$;
create trigger device_drift_kept after update on device
  for each row when ((old.configuration_drifted or new.configuration_drifted or old.firmware_drifted or new.firmware_drifted)
    and (old.configuration_drifted, old.configuration_id, old.firmware_drifted, old.firmware_id)
      is distinct from (new.configuration_drifted, new.configuration_id, new.firmware_drifted, new.firmware_id))
  execute function keep_drift();

-- What somebody had tried again says itself how that ended.
create function keep_failure() returns trigger language plpgsql as $$
begin
  if has_room_for_event(new.organization_id, new.device_id) and not exists (
    select from reapplication a where a.organization_id = new.organization_id and a.device_id = new.device_id and a.publication_id = new.publication_id
      and a.happened_at = old.happened_at)
  then
    insert into device_event (organization_id, device_id, at, kind, publication_id, reason)
      values (new.organization_id, new.device_id, old.happened_at, 'failed', new.publication_id, old.reason);
  end if;
  return null;
end $$;
create trigger outcome_failure_kept after update on outcome
  for each row when (old.outcome = 'failed' and (old.outcome, old.happened_at) is distinct from (new.outcome, new.happened_at))
  execute function keep_failure();

-- What most of the readers ran where no firmware had been published, the version of most of them first, and how many ran each.
alter table publication add column ran_firmware integer[], add column ran_readers integer[];
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
  if new.content = 'firmware' and not new.has_previous then
    select array_agg(firmware_id order by readers desc, firmware_id desc), array_agg(readers order by readers desc, firmware_id desc)
      into new.ran_firmware, new.ran_readers
      from (
        select firmware_id, count(*)::integer as readers from device
        where organization_id = new.organization_id and zone_id = new.zone_id and device_type = new.device_type and firmware_id is not null group by 1
      ) ran;
    new.has_previous := coalesce((
      select r.version_order is distinct from new.version_order
      from unnest(new.ran_firmware) with ordinality as ran (id, place)
      join reported_firmware f on f.organization_id = new.organization_id and f.id = ran.id
      join firmware_release r on r.device_type = new.device_type and r.version_order = f.version_order and r.is_offered
      order by ran.place limit 1), false);
  end if;
  return new;
end $$;

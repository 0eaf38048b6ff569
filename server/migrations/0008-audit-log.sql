-- The audit log can be read, filtered and searched, and only ever grows.

-- An entry outlives its person without being touched; a change to the catalogue or an ad concerns no organization.
alter table audit_entry drop constraint audit_entry_initiator_id_fkey;
alter table audit_entry alter column organization_id drop not null;

-- The name somebody had when they did it.
alter table audit_entry add column initiator_name text;
update audit_entry set initiator_name = nullif(trim(concat_ws(' ', first_name, last_name)), '') from "user" where "user".id = initiator_id;

alter table audit_entry add column search text not null generated always as
  (lower(coalesce(initiator_name, '') || ' ' || coalesce(initiator_email, '') || ' ' || coalesce(zone_name, '') || ' ' ||
    coalesce(device_serial, '') || ' ' || coalesce(target, '') || ' ' || coalesce(config_name, '') || ' ' || coalesce(version, '') || ' ' ||
    coalesce(new_value, ''))) stored;

-- The newest first, of everything and of each filter. `audit_entry_organization` serves the log without one.
create index audit_entry_type on audit_entry (organization_id, change_type, in_effect_since, id);
create index audit_entry_person on audit_entry (organization_id, initiator_email, in_effect_since, id) where initiator_email is not null;
create index audit_entry_zone on audit_entry (organization_id, zone_name, in_effect_since, id) where zone_name is not null;
create index audit_entry_device on audit_entry (organization_id, device_serial, in_effect_since, id) where device_serial is not null;
create index audit_entry_search on audit_entry using gin (organization_id, search gin_trgm_ops);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'An entry of the audit log is never changed or removed' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_audit_change();

-- How many entries of each type a log has, so that its first page counts nothing.
create table audit_count (
  organization_id text,
  change_type text not null,
  amount integer not null,
  unique nulls not distinct (organization_id, change_type)
);
insert into audit_count (organization_id, change_type, amount)
  select organization_id, change_type, count(*) from audit_entry group by organization_id, change_type;

create function count_audit_entry() returns trigger language plpgsql as $$
begin
  insert into audit_count (organization_id, change_type, amount) values (new.organization_id, new.change_type, 1)
    on conflict (organization_id, change_type) do update set amount = audit_count.amount + 1;
  return null;
end $$;
-- At the commit: changes of one organization wait for each other no longer than that takes.
create constraint trigger audit_entry_counted after insert on audit_entry deferrable initially deferred
  for each row execute function count_audit_entry();

-- A deleted entry of the library can be restored for 30 days. Until then it frees its name.
alter table saved_configuration add column deleted_at timestamptz, add column deleted_by uuid references "user" on delete set null;
drop index saved_configuration_name;
create unique index saved_configuration_name on saved_configuration (organization_id, device, lower(name)) where deleted_at is null;
create index saved_configuration_deleted on saved_configuration (organization_id, deleted_at desc, id) where deleted_at is not null;

-- Entries that others made need manage:cfg-lib now. Whoever published configurations could change them before, and still can. What a role that is
-- limited to zones has of it counts for nothing, as the library is the whole organization's.
update role set permissions = permissions || '{manage:cfg-lib}'
where not is_limited and 'manage:cfg' = any(permissions) and not 'manage:cfg-lib' = any(permissions);
update role set permissions = array_remove(permissions, 'manage:cfg-lib') where is_limited;

-- Whoever has left has made nothing here.
update saved_configuration set created_by = null
where created_by is not null and not exists (
  select from member where member.organization_id = saved_configuration.organization_id and member.user_id = saved_configuration.created_by);

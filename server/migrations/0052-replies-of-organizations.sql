-- A stored reply is of the organization of its call, 0 where it has none (docs/decisions/0051). Those of before name none and are let go: a call that is
-- repeated across the upgrade runs again.
delete from idempotency_key;
alter table idempotency_key drop constraint idempotency_key_pkey, add column organization_id integer not null, add primary key (organization_id, caller, key);

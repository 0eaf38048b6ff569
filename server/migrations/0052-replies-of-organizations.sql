-- A stored reply is of the organization of its call, 0 where it has none (docs/decisions/0051). Those of before do not name it: they are kept for every
-- organization that their call may have been of, so that a call repeated across the upgrade still gets its first answer.
alter table idempotency_key drop constraint idempotency_key_pkey, add column organization_id integer not null default 0;
alter table idempotency_key alter column organization_id drop default, add primary key (organization_id, caller, key);
insert into idempotency_key (organization_id, caller, key, request_hash, status, reply, created_at)
  select m.organization_id, k.caller, k.key, k.request_hash, k.status, k.reply, k.created_at from idempotency_key k join member m on k.caller = 'user ' || m.user_id
  union all
  select h.organization_id, k.caller, k.key, k.request_hash, k.status, k.reply, k.created_at from idempotency_key k join host h on k.caller = 'host ' || h.id
  union all
  select l.organization_id, k.caller, k.key, k.request_hash, k.status, k.reply, k.created_at from idempotency_key k join licence l on k.caller = 'licence ' || l.id;

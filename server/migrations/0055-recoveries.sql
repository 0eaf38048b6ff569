-- A sign-in that is under way ends with the other sessions of its account.
create index idp_record_signing_in on idp_record ((payload #>> '{result,login,accountId}')) where model = 'Interaction';

-- Each request for a recovery stands by itself. It has a code, of which a salted hash is kept, and says from where it came. Those of before have none: they are
-- asked for again.
delete from passkey_recovery;
drop index passkey_recovery_member;
alter table passkey_recovery add column code_hash text not null, add column address text not null, add column agent text not null,
  add column wrong_codes integer not null default 0;
create index passkey_recovery_member on passkey_recovery (organization_id, user_id);
create index passkey_recovery_person on passkey_recovery (user_id);

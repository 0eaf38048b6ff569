-- Passkeys of accounts of the embedded identity provider (SES-05, decision 53). Ids and keys in base64url, as WebAuthn has them.
create table idp_passkey (
  id text primary key,
  account_id text not null references idp_account on delete cascade,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  name text not null check (name <> ''),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index idp_passkey_account on idp_passkey (account_id);

-- Whether calls of its members must come from a sign-in with a passkey.
alter table organization add column requires_passkeys boolean not null default false;

-- Members who lost their passkeys, for another manager to confirm. `browser` is the hash of what the asking browser keeps.
create table passkey_recovery (
  organization_id integer not null references organization on delete cascade,
  id uuid not null,
  user_id uuid not null references "user" on delete cascade,
  browser text not null,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (organization_id, id)
);
-- One of each member: a further one takes the place of the one before.
create unique index passkey_recovery_member on passkey_recovery (organization_id, user_id);

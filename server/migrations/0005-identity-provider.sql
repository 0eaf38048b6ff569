-- The embedded identity provider's accounts, keys and sessions.
create table idp_account (
  id text primary key,
  email text not null,
  email_verified boolean not null default false,
  password_hash text,
  name text,
  permissions text[] not null default '{}',
  blocked boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index idp_account_email on idp_account (lower(email));

-- One signing key; `singleton` lets a second insert find it taken.
create table idp_key (
  singleton boolean primary key default true check (singleton),
  jwk jsonb not null,
  created_at timestamptz not null default now()
);

create table idp_record (
  model text not null,
  id text not null,
  payload jsonb not null,
  consumed_at timestamptz,
  expires_at timestamptz,
  primary key (model, id)
);
create index idp_record_grant on idp_record (model, (payload ->> 'grantId')) where payload ? 'grantId';
create index idp_record_uid on idp_record (model, (payload ->> 'uid')) where payload ? 'uid';
create index idp_record_account on idp_record ((payload ->> 'accountId')) where payload ? 'accountId';
create index idp_record_expiry on idp_record (expires_at);

-- Letters with links that no mail server took, for `npm run accounts`.
create table idp_message (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

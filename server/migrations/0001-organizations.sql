-- Organizations, their groups and people.
create extension if not exists pg_trgm;

create table organization (
  id text primary key,
  company_id integer generated always as identity unique,
  name text,
  has_epic_data boolean not null default false,
  created_at timestamptz not null default now()
);

create table "group" (
  id integer generated always as identity primary key,
  organization_id text not null references organization on delete cascade,
  name text not null check (name <> ''),
  unique (organization_id, id)
);

create table group_product (
  organization_id text not null,
  group_id integer not null,
  product_id integer not null,
  primary key (group_id, product_id),
  foreign key (organization_id, group_id) references "group" (organization_id, id) on delete cascade
);

-- A person is an issuer's subject; an e-mail may change and hands over nothing.
create table "user" (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  email text not null,
  email_verified boolean not null default false,
  first_name text,
  last_name text,
  phone text,
  country_code text check (length(country_code) = 2),
  created_at timestamptz not null default now(),
  unique (issuer, subject)
);

create table member (
  organization_id text not null references organization on delete cascade,
  user_id uuid not null references "user" on delete cascade,
  group_id integer not null,
  joined_at timestamptz not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, group_id) references "group" (organization_id, id)
);
create index member_user on member (user_id, joined_at);
create index member_group on member (organization_id, group_id);

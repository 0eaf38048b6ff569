-- The configuration library, and configs kept as text.
create table saved_configuration (
  id uuid primary key,
  organization_id text not null references organization on delete cascade,
  device text not null,
  name text not null check (name <> ''),
  commands text[] not null,
  created_at timestamptz not null default now(),
  created_by uuid references "user" on delete set null
);
-- A name is taken however it is capitalized; the library lists by date.
create unique index saved_configuration_name on saved_configuration (organization_id, device, lower(name));
create index saved_configuration_list on saved_configuration (organization_id, created_at desc, id);

create table config (
  id integer generated always as identity primary key,
  organization_id text not null references organization on delete cascade,
  collection text not null,
  name text not null,
  content text not null
);
create index config_organization on config (organization_id, id);

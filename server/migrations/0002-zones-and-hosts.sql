-- Zones, the licences that open them to host PCs, and the host PCs.
create table zone (
  id uuid primary key,
  organization_id text not null references organization on delete cascade,
  name text not null check (name <> ''),
  created_at timestamptz not null default now()
);
create unique index zone_by_name on zone (organization_id, lower(name));

create table license (
  id uuid primary key,
  organization_id text not null references organization on delete cascade,
  license_number text not null unique,
  created_at timestamptz not null default now()
);
create index license_organization on license (organization_id, created_at);

create table host (
  id uuid primary key,
  organization_id text not null references organization on delete cascade,
  -- Null once the host was removed and its zone deleted.
  zone_id uuid references zone on delete set null,
  license_id uuid not null references license on delete restrict,
  name text not null,
  time_zone text not null,
  agent_version text not null,
  -- SHA-256 of a credential that only the host has.
  credential_hash text not null unique,
  enrolled_at timestamptz not null default now(),
  revoked_at timestamptz,
  last_seen_at timestamptz,
  check (revoked_at is not null or zone_id is not null)
);
create index host_zone on host (organization_id, zone_id, name) where revoked_at is null;

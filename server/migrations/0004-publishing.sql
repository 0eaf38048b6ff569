-- What was published, what is desired now, what became of it, and who did it.
create table publication (
  id uuid primary key,
  organization_id text not null references organization on delete cascade,
  zone_id uuid references zone on delete set null,
  device_type text not null,
  revision integer not null,
  content text not null check (content in ('cfg', 'file')),
  content_hash text not null,
  size bigint not null,
  file_name text,
  update_time text not null,
  published_by uuid references "user" on delete set null,
  published_at timestamptz not null default now(),
  unique (zone_id, device_type, revision)
);
create index publication_organization on publication (organization_id, published_at);

-- One desired configuration a zone and model; its row is what two publishers wait for.
create table desired_configuration (
  organization_id text not null references organization on delete cascade,
  zone_id uuid not null references zone on delete cascade,
  device_type text not null,
  publication_id uuid not null references publication on delete cascade,
  revision integer not null,
  primary key (zone_id, device_type)
);

create table outcome (
  publication_id uuid not null references publication on delete cascade,
  device_id uuid not null references device on delete cascade,
  organization_id text not null,
  outcome text not null check (outcome in ('applied', 'failed')),
  reason text,
  happened_at timestamptz not null,
  reported_at timestamptz not null default now(),
  primary key (publication_id, device_id)
);
create index outcome_device on outcome (device_id);

create table audit_entry (
  id uuid primary key,
  organization_id text not null,
  initiator_id uuid references "user" on delete set null,
  initiator_email text,
  in_effect_since timestamptz not null default now(),
  change_type text not null,
  target text,
  new_value text,
  zone_name text,
  version text,
  config_name text,
  device_serial text,
  address text,
  request_id text
);
create index audit_entry_organization on audit_entry (organization_id, in_effect_since, id);

-- What happened, for those who listen. A hint beside a poll, kept for a day.
create table event (
  id bigint generated always as identity primary key,
  organization_id text not null references organization on delete cascade,
  zone_id uuid,
  kind text not null,
  created_at timestamptz not null default now()
);
create index event_created on event (created_at);
create function tell_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('lectern_events', json_build_object('id', new.id, 'organizationId', new.organization_id, 'zoneId', new.zone_id, 'kind', new.kind)::text);
  return null;
end $$;
create trigger event_told after insert on event for each row execute function tell_event();

-- The first answer to a write that carried an Idempotency-Key, kept for 24 hours.
create table idempotency_key (
  caller text not null,
  key text not null,
  request_hash text not null,
  status integer not null,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
create index idempotency_key_created on idempotency_key (created_at);

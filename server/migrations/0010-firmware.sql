-- Firmware: the vendor's releases, and what zones are given.
create table firmware_release (
  id uuid primary key,
  device_type text not null,
  version text not null,
  -- The version with its numbers padded: the newest comes last, and 4.09 is 4.9.
  version_order text collate "C" not null,
  notes text not null,
  file_name text not null,
  content_hash text not null,
  size bigint not null,
  is_offered boolean not null default true,
  created_at timestamptz not null default now(),
  created_by text not null,
  unique (device_type, version_order)
);
-- What the sweep asks before it removes a content.
create index firmware_release_content on firmware_release (content_hash);
create index publication_content on publication (content_hash) where zone_id is not null;

-- A firmware is published as a configuration is, with revisions of its own. Its version is null where the file is the customer's own.
alter table publication add column version text;
alter table publication drop constraint publication_content_check;
alter table publication add constraint publication_content_check check (content in ('cfg', 'file', 'firmware'));
alter table publication drop constraint publication_zone_id_device_type_revision_key;
create unique index publication_revision on publication (zone_id, device_type, (content = 'firmware'), revision);

-- One desired firmware a zone and model.
create table desired_firmware (
  organization_id text not null references organization on delete cascade,
  zone_id uuid not null references zone on delete cascade,
  device_type text not null,
  publication_id uuid not null references publication on delete cascade,
  revision integer not null,
  primary key (zone_id, device_type)
);

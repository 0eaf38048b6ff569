-- Entries of the library have a note, and versions that never change (docs/decisions/0057-named-configurations.md). `version`: the newest.
alter table saved_configuration add column note text not null default '', add column version integer not null default 1;

-- Of commands, `content` has one a line.
create table saved_version (
  organization_id integer not null,
  configuration_id uuid not null,
  number integer not null check (number > 0),
  kind text not null check (kind in ('commands', 'cfg', 'script')),
  file_name text,
  content text not null,
  content_hash text not null,
  size integer not null,
  created_at timestamptz not null default now(),
  created_by uuid references "user" on delete set null,
  primary key (organization_id, configuration_id, number),
  foreign key (organization_id, configuration_id) references saved_configuration (organization_id, id) on delete cascade
);
create index saved_version_content on saved_version using gin (organization_id, lower(content) gin_trgm_ops);

insert into saved_version (organization_id, configuration_id, number, kind, content, content_hash, size, created_at, created_by)
  select organization_id, id, 1, 'commands', content, encode(sha256(convert_to(content, 'UTF8')), 'hex'), octet_length(content), created_at, created_by
  from saved_configuration, lateral (select array_to_string(commands, E'\n') || E'\n' as content) lines;
alter table saved_configuration drop column commands;

-- Commands of the builder are sent to readers as commands.
alter table publication drop constraint publication_content_check;
alter table publication add constraint publication_content_check check (content in ('cfg', 'file', 'firmware', 'commands'));

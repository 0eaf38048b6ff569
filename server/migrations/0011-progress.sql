-- How a publication stands: whether it waits for its update time, whether no further reader may begin, and how far it has come.
alter table publication add column at_once boolean not null default false;
alter table publication add column halted_at timestamptz;
alter table publication add column halted_by uuid references "user" on delete set null;

-- What hosts said last of what is still under way; gone when the outcome comes. Without a reader: the host PC itself fetches the content.
create table progress (
  publication_id uuid not null references publication on delete cascade,
  host_id uuid not null references host on delete cascade,
  device_id uuid references device on delete cascade,
  organization_id text not null,
  percent smallint not null check (percent between 0 and 100),
  told_at timestamptz not null default now(),
  unique nulls not distinct (publication_id, host_id, device_id)
);
create index progress_device on progress (device_id);
create index progress_host on progress (host_id);

-- What a reader typed at a desk where it was set up (DSK-02). `id` is made by the page. `configuration_id`: null: commands that are in no library. People have no
-- foreign key: a record stays as it is when its person is deleted.
create table desk_record (
  organization_id integer not null references organization (id) on delete cascade,
  id uuid not null,
  serial_number text not null,
  typed_model text not null,
  typed_firmware text not null,
  configuration_id uuid,
  version integer,
  configuration_name text not null,
  device text not null,
  commands text not null,
  typed text not null,
  typed_slowly boolean not null,
  typed_at timestamptz not null,
  browser text not null,
  created_at timestamptz not null default now(),
  created_by uuid not null,
  withdrawn_at timestamptz,
  withdrawn_by uuid,
  reason text,
  primary key (organization_id, id),
  check ((withdrawn_at is null) = (reason is null) and (withdrawn_at is null) = (withdrawn_by is null))
);
create index desk_record_created on desk_record (organization_id, created_at desc, id desc);
create index desk_record_reader on desk_record (organization_id, serial_number, created_at desc, id desc);
create index desk_record_maker on desk_record (organization_id, created_by, created_at desc, id desc);
create index desk_record_configuration on desk_record (organization_id, configuration_id, created_at desc, id desc);

-- Withdrawn once, and else never changed.
create function keep_desk_record() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null or
    to_jsonb(new) - array['withdrawn_at', 'withdrawn_by', 'reason'] <> to_jsonb(old) - array['withdrawn_at', 'withdrawn_by', 'reason'] then
    raise exception 'A desk record is never changed, only withdrawn.';
  end if;
  return new;
end $$;
create trigger desk_record_kept before update on desk_record for each row execute function keep_desk_record();

create trigger storage_added after insert on desk_record referencing new table as added for each statement
  execute function count_storage('desk record', 'coalesce(''user '' || created_by, '''')', 'octet_length(typed) + octet_length(commands) + 800');
create trigger storage_removed after delete on desk_record referencing old table as removed for each statement
  execute function count_storage('desk record', 'coalesce(''user '' || created_by, '''')', 'octet_length(typed) + octet_length(commands) + 800');

-- What browsers keep of a desk is encrypted under keys that are derived from it.
insert into signing_secret (purpose, secret) values ('desk', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- Licences for serial numbers, the registry of readers, and users of the scanner app.

-- What the vendor sells licences for.
create table license_type (
  id integer primary key,
  name text not null unique,
  need_purchase_order boolean not null
);
insert into license_type (id, name, need_purchase_order) values (1, 'Companion app', false), (2, 'Decode SDK', true), (3, 'Evaluation', false);

alter table organization
  -- What counts where a licence names no type.
  add column license_type_id integer not null default 1 references license_type,
  -- How many licences it has; kept, not counted.
  add column license_count integer not null default 0;

-- What a licence is found by. The collation is said, as the columns have another one in which only A to Z have small letters.
create function license_text(number text, purchase_order text, serials text[]) returns text immutable language sql as
  $$ select lower(concat_ws(' ', number, purchase_order, array_to_string(serials, ' ')) collate "default") $$;

alter table license
  alter column license_number type text collate "C",
  add column type_id integer not null default 1 references license_type,
  add column serial_numbers text[] not null default '{}',
  add column purchase_order_number text collate "C",
  -- The signed licence file, as it was handed out; null where none was asked for.
  add column file text;
alter table license add column search text not null generated always as (license_text(license_number, purchase_order_number, serial_numbers)) stored;

-- One for each sort, both ways; of purchase orders two, as licences without one come last in both. The date is what the list is filtered by.
drop index license_organization;
create index license_date on license (organization_id, created_at, id);
create index license_number_order on license (organization_id, license_number, id) include (created_at);
create index license_purchase_order on license (organization_id, purchase_order_number, id) include (created_at);
create index license_purchase_order_down on license (organization_id, purchase_order_number desc nulls last, id desc) include (created_at);
create index license_search on license using gin (organization_id, search gin_trgm_ops);

update organization set license_count = (select count(*) from license where organization_id = organization.id);
create function count_licenses() returns trigger language plpgsql as $$
declare
  one integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update organization set license_count = license_count + one * tally.licenses
    from (select organization_id, count(*) as licenses from changed group by organization_id) as tally
    where organization.id = tally.organization_id;
  return null;
end $$;
create trigger license_added after insert on license referencing new table as changed for each statement execute function count_licenses();
create trigger license_removed after delete on license referencing old table as changed for each statement execute function count_licenses();

-- Readers that people have registered, whether a host PC reports them or not.
create table reader (
  id integer generated always as identity primary key,
  organization_id text not null references organization on delete cascade,
  serial_number text collate "C" not null check (serial_number <> ''),
  is_lost boolean not null default false,
  -- What was said when it was registered; what host PCs report is in device_state.
  last_activity_at timestamptz,
  code_master_id text,
  search text not null generated always as (lower((serial_number || ' ' || coalesce(code_master_id, '')) collate "default")) stored,
  unique (organization_id, serial_number)
);
create index reader_search on reader using gin (organization_id, search gin_trgm_ops);

-- Users of the scanner app, one an e-mail address; what they said of themselves may all be missing.
create table scanner_app_user (
  -- In small letters.
  address text primary key,
  user_id text,
  user_type text,
  name text,
  email text,
  phone text,
  app_updates boolean,
  enterprise_updates boolean,
  company_name text,
  company_size text,
  role text,
  industry text
);

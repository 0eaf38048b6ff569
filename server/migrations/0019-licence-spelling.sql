-- Names of the database say licence; only the API says license. No row changes.
alter table license rename to licence;
alter table licence rename column license_number to licence_number;
alter table license_type rename to licence_type;
alter table host rename column license_id to licence_id;
alter table organization rename column license_type_id to licence_type_id;
alter table organization rename column license_count to licence_count;

alter function license_text rename to licence_text;
alter function count_licenses rename to count_licences;
create or replace function count_licences() returns trigger language plpgsql as $$
declare
  one integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update organization set licence_count = licence_count + one * tally.licences
    from (select organization_id, count(*) as licences from changed group by organization_id) as tally
    where organization.id = tally.organization_id;
  return null;
end $$;
alter trigger license_added on licence rename to licence_added;
alter trigger license_removed on licence rename to licence_removed;
alter trigger license_serials_added on licence rename to licence_serials_added;
alter trigger license_serials_changed on licence rename to licence_serials_changed;
alter trigger license_serials_removed on licence rename to licence_serials_removed;

-- In a loop, as the newer PostgreSQL also names "not null".
do $$
declare
  named record;
begin
  for named in
    select conrelid::regclass as owner, conname as old from pg_constraint where connamespace = current_schema()::regnamespace and conname like '%license%'
  loop
    execute format('alter table %s rename constraint %I to %I', named.owner, named.old, replace(named.old, 'license', 'licence'));
  end loop;
  for named in
    select indexrelid::regclass as old, relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and relname like '%license%'
  loop
    execute format('alter index %s rename to %I', named.old, replace(named.name, 'license', 'licence'));
  end loop;
end $$;

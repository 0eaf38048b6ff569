-- Who stored it; null: before this was kept. An account that is gone is still named: what it stored is its own.
alter table config add column created_by uuid;
alter table reader add column created_by uuid;
alter table "group" add column created_by uuid;

-- What organizations and accounts store (FAI-05); rows of one key add up. `account`: 'user ID' or 'host ID', empty where nobody is known.
create table storage_count (
  organization_id integer not null,
  account text not null,
  kind text not null,
  bytes bigint not null,
  items integer not null,
  is_folded boolean not null default false
);
create index storage_count_key on storage_count (organization_id, account, kind);
create index storage_count_fresh on storage_count (is_folded) where not is_folded;

-- Arguments: the kind, the account and the bytes of a row.
create function count_storage() returns trigger language plpgsql as $$
begin
  execute format($q$
    insert into storage_count (organization_id, account, kind, bytes, items)
    select organization_id, %1$s, %2$L, sum(one * (%3$s)), sum(one) from (%4$s) changed group by 1, 2
    having (sum(one * (%3$s)), sum(one)) <> (0, 0)
  $q$, tg_argv[1], tg_argv[0], tg_argv[2], case tg_op
    when 'INSERT' then 'select 1 as one, * from added'
    when 'DELETE' then 'select -1 as one, * from removed'
    else 'select 1 as one, * from added union all select -1, * from removed' end);
  return null;
end
$$;

do $$
declare
  creator constant text := 'coalesce(''user '' || created_by, '''')';
  counted record;
begin
  -- Rows without a large text count as much as they and their indexes take. An update that changes neither account nor bytes has no trigger.
  for counted in select * from (values
    ('saved_configuration', 'library entry', creator, '2500', true),
    ('saved_version', 'library version', creator, 'size + 300', true),
    ('config', 'config', creator, 'octet_length(content) + octet_length(name) + 200', true),
    ('reader', 'registered reader', creator, '400', false),
    ('group', 'group', creator, '400', false),
    ('upload', 'upload', '''''', 'size', false),
    ('idempotency_key', 'reply', 'caller', 'octet_length(coalesce(reply::text, '''')) + 300', true)
  ) as list (name, kind, account, bytes, changes)
  loop
    execute format('insert into storage_count (organization_id, account, kind, bytes, items)
      select organization_id, %s, %L, sum(%s), count(*) from %I group by 1, 2', counted.account, counted.kind, counted.bytes, counted.name);
    execute format('create trigger storage_added after insert on %I referencing new table as added
      for each statement execute function count_storage(%L, %L, %L)', counted.name, counted.kind, counted.account, counted.bytes);
    execute format('create trigger storage_removed after delete on %I referencing old table as removed
      for each statement execute function count_storage(%L, %L, %L)', counted.name, counted.kind, counted.account, counted.bytes);
    if counted.changes then
      execute format('create trigger storage_changed after update on %I referencing old table as removed new table as added
        for each statement execute function count_storage(%L, %L, %L)', counted.name, counted.kind, counted.account, counted.bytes);
    end if;
  end loop;
end
$$;

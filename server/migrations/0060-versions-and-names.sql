-- The order of versions (RIT-09) of what `versionOrder` of the contract writes; `versionRank` there is the same rule. Numbers, then a sign: "!" a pre-release, "$" the release
-- itself, "%" anything else. What begins with no number comes before all.
create function version_rank(version_order text) returns text language sql immutable strict parallel safe as $$
  select case
    when parts is null then '!' || replace(version_order, ' ', '')
    when words = '' then parts[1] || '$'
    else parts[1] || case when parts[2] ~ '^(-|[ ._]*(rc|alpha|beta|a|b)[-. _]*[0-9]*$)' then '!' else '%' end || words
  end
  from (
    select parts, array_to_string(array(
      select case w[1] when 'a' then 'alpha' when 'b' then 'beta' else w[1] end from regexp_matches(parts[2], '[0-9]+|[^-. _0-9]+', 'g') with ordinality as word (w, place)
      order by place), '.') as words
    from (select regexp_match(version_order, '^v?([0-9]+(?:\.[0-9]+)*)([^+]*)') as parts) split
  ) read
$$;
alter table reported_firmware add column version_sort text collate "C" not null generated always as (version_rank(version_order) || ' ' || version_order) stored;
drop index reported_firmware_order;
create index reported_firmware_sort on reported_firmware (organization_id, version_sort, id);
alter table firmware_release add column version_sort text collate "C" not null generated always as (version_rank(version_order) || ' ' || version_order) stored,
  -- Null: it was withdrawn. Among releases that are equal in order the one that was offered last is the latest.
  add column offered_at timestamptz default now();
update firmware_release set offered_at = case when is_offered then created_at end;

-- Names have one form of each character (INP-02). Of two that are equal then, the later one gets a number, and the audit log says so. The
-- specified calls still find them: they bring the name in their path into that form.
do $$
declare
  kind record;
  one record;
  clean text;
  taken boolean;
  number integer;
begin
  for kind in
    select * from (values ('zone', 'id'), ('tag', 'id'), ('role', 'id'), ('saved_configuration', 'id')) as kinds (name, key)
  loop
    for one in execute format('select t.organization_id, t.name, to_jsonb(t) as row from %I t where name is not nfc normalized order by %I', kind.name, kind.key) loop
      clean := normalize(one.name, nfc);
      number := 1;
      loop
        execute format('select exists (select from %1$I other where organization_id = $1 and lower(name) = lower($2) and %2$I::text <> $3 %3$s)', kind.name, kind.key,
          case when kind.name = 'saved_configuration' then 'and device::text = $4' else 'and $4 is not distinct from $4' end)
          into taken using one.organization_id, clean, one.row ->> kind.key, one.row ->> 'device';
        exit when not taken;
        number := number + 1;
        clean := normalize(one.name, nfc) || ' (' || number || ')';
      end loop;
      execute format('update %1$I set name = $1 where organization_id = $2 and %2$I::text = $3', kind.name, kind.key) using clean, one.organization_id, one.row ->> kind.key;
      if number > 1 then
        insert into audit_entry (id, organization_id, change_type, target, new_value, zone_name)
          values (gen_random_uuid(), one.organization_id, 'renameEqual', one.name, clean, case when kind.name = 'zone' then clean end);
      end if;
    end loop;
  end loop;
end $$;
update "group" set name = normalize(name, nfc) where name is not nfc normalized;
update host set name = normalize(name, nfc) where name is not nfc normalized;

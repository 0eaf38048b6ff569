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

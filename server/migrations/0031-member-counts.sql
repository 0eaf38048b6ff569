-- Counts of members name the organization of their group. Transition tables are read alone, as in 0023-layout.
create or replace function count_members() returns trigger language plpgsql as $$
declare
  one integer := case tg_op when 'INSERT' then 1 else -1 end;
  c record;
begin
  for c in select organization_id, group_id, count(*) as members from changed group by 1, 2 order by 1, 2 loop
    update "group" set member_count = member_count + one * c.members where organization_id = c.organization_id and id = c.group_id;
  end loop;
  update directory_count set members = members + one * (select count(*) from changed) where exists (select from changed);
  return null;
end $$;

create or replace function count_moved_members() returns trigger language plpgsql as $$
declare
  c record;
begin
  for c in
    select organization_id, group_id, sum(one) as members
    from (select organization_id, group_id, 1 as one from after_move union all select organization_id, group_id, -1 from before_move) moved
    group by 1, 2 having sum(one) <> 0 order by 1, 2
  loop
    update "group" set member_count = member_count + c.members where organization_id = c.organization_id and id = c.group_id;
  end loop;
  return null;
end $$;

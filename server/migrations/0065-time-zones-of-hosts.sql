-- The time zones that a host PC had, the newest first, with when each but the oldest came (INP-05); `plannedStart` of the contract reads it. The last eight changes.
alter table host add column time_zone_history text not null default '';
update host set time_zone_history = time_zone;
create function keep_time_zones() returns trigger language plpgsql as $$
begin
  new.time_zone_history := new.time_zone;
  if tg_op = 'UPDATE' then
    new.time_zone_history := concat_ws(' ', new.time_zone, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      array_to_string((string_to_array(old.time_zone_history, ' '))[1:15], ' '));
  end if;
  return new;
end $$;
create trigger host_time_zone_entered before insert on host for each row execute function keep_time_zones();
create trigger host_time_zone_changed before update of time_zone on host
  for each row when (old.time_zone is distinct from new.time_zone) execute function keep_time_zones();

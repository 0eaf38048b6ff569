-- A page of ten readers looks up as many host PCs. By its hash an id is found in one page of the index, by the primary key in two.
create index host_id on host using hash (id);

-- Servers keep names of zones.
create function refuse_name() returns trigger language plpgsql as $$
begin
  raise exception 'A zone keeps its name.';
end $$;
create trigger zone_name before update of name on zone for each row when (old.name is distinct from new.name) execute function refuse_name();

-- A stored reply may name what was refused, with bytes that jsonb does not take, such as a NUL.
alter table idempotency_key alter column reply type json;

-- When a host PC was first handed a publication, or what is applied again of it (`id`): from then on it may report outcomes (RIT-08).
create table handed_out (
  organization_id integer not null,
  publication_id uuid not null,
  host_id integer not null,
  id uuid not null,
  at timestamptz not null default now(),
  primary key (organization_id, publication_id, host_id, id),
  foreign key (organization_id, publication_id) references publication (organization_id, id) on delete cascade,
  foreign key (organization_id, host_id) references host (organization_id, id) on delete cascade
);
-- Of before the upgrade nothing says when it was handed out. Not before it was published.
insert into handed_out (organization_id, publication_id, host_id, id, at)
  select p.organization_id, p.id, h.id, p.id, p.published_at
  from publication p join host h on h.organization_id = p.organization_id and h.zone_id = p.zone_id where h.revoked_at is null
  union all
  select p.organization_id, p.id, h.id, a.id, a.requested_at
  from reapplication a join publication p on p.organization_id = a.organization_id and p.id = a.publication_id
  join host h on h.organization_id = p.organization_id and h.zone_id = p.zone_id where h.revoked_at is null and a.outcome is null;
create index handed_out_host on handed_out (organization_id, host_id);

-- How far the clock of the host PC was ahead of the server's at its last check-in, in seconds; null: not known.
alter table host add column clock_ahead integer;

-- Two failures of one instant, as an instant may be the one of handing out, are two.
create or replace trigger outcome_failure_kept after update on outcome
  for each row when (old.outcome = 'failed' and (old.outcome, old.happened_at, old.reason) is distinct from (new.outcome, new.happened_at, new.reason))
  execute function keep_failure();

-- A role may be limited to zones (decision 47). `is_limited` stays when its last zone is deleted: then it sees none.
alter table role add column is_limited boolean not null default false;

create table role_zone (
  organization_id integer not null,
  role_id uuid not null,
  zone_id integer not null,
  primary key (organization_id, role_id, zone_id),
  foreign key (organization_id, role_id) references role on delete cascade,
  foreign key (organization_id, zone_id) references zone on delete cascade
);
create index role_zone_zone on role_zone (organization_id, zone_id);

-- The part of a rollout that such a role sees.
create index publication_zone on publication (organization_id, rollout_id, zone_id);

-- A role may be limited to tags as well: it covers every zone that has one of them (decision 63).
create table role_tag (
  organization_id integer not null,
  role_id uuid not null,
  tag_id integer not null,
  primary key (organization_id, role_id, tag_id),
  foreign key (organization_id, role_id) references role on delete cascade,
  foreign key (organization_id, tag_id) references tag on delete cascade
);
create index role_tag_tag on role_tag (organization_id, tag_id);

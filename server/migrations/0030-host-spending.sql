-- What a host PC has reported since a moment, of what is limited by time (LMT-05).
create table host_spending (
  organization_id integer not null,
  host_id integer not null,
  kind text not null,
  since timestamptz not null,
  amount integer not null,
  primary key (organization_id, host_id, kind),
  foreign key (organization_id, host_id) references host (organization_id, id) on delete cascade
);

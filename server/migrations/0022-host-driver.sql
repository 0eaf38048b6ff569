-- How readers are attached to a host, as its agent says; null: not known. Readers of the simulated driver do not exist.
alter table host add column driver text;
alter table device add column simulated boolean not null default false;
create index device_simulated on device (organization_id) where simulated;

-- Whether the reader or host that an entry names did not exist, or its figures count such readers. Not known of what was written before: false.
alter table audit_entry add column simulated boolean not null default false;

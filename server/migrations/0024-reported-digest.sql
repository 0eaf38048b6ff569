-- Of all readers of a host as it reported them last (SCL-12); null: not known, so that it reports all of them again.
alter table host add column reported_digest text;

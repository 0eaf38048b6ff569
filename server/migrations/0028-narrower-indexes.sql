-- What a reader takes on disk (SCL-09).
-- What is yet to be put in its place in this index keeps its room in the file, 4 MB by default, and each search reads it.
alter index device_search set (gin_pending_list_limit = 256);
reindex index device_search;

-- Without the time of each reader: those with one of their own are few, and in an index of their own.
drop index device_host, device_host_offline, device_host_battery, device_host_warranty, device_host_drifted;
create index device_host on device (organization_id, host_id, id);
create index device_host_offline on device (organization_id, host_id, id) where offline;
create index device_host_battery on device (organization_id, host_id, id) where low_battery;
create index device_host_warranty on device (organization_id, host_id, id) where warranty_due;
create index device_host_drifted on device (organization_id, host_id, id) where drifted;
create index device_host_own on device (organization_id, host_id, id) where last_seen_at is not null;

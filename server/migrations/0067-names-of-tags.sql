-- As a role that is limited to zones has written a tag that no zone of its own had. Null: by somebody who sees all zones, or who saw the tag already.
alter table zone_tag add column name text;

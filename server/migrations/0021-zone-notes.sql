-- What people write down about a zone; empty where there is nothing.
alter table zone add column note text not null default '';

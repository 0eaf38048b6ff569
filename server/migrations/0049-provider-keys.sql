-- The embedded provider's keys, numbered in the order of their making: one that replaces another is there beside it.
alter table idp_key drop column singleton;
alter table idp_key add column number integer not null default 1;
alter table idp_key alter column number drop default;
alter table idp_key add primary key (number);

-- What a host PC has at its ports beside its readers (SER-01): readers of other models, ports, and how it speaks with readers. Null: nothing, or an older agent.
-- `other_readers`: how many readers of other models, so that lists need not open the whole.
alter table host add column attached jsonb;
alter table host add column other_readers smallint not null generated always as (coalesce(jsonb_array_length(attached -> 'others'), 0)) stored;
-- What a host PC can give a reader: 1 a CFG, 2 a script, 4 commands, 8 firmware, added up. Null: everything.
alter table device add column can smallint;

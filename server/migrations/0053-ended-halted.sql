-- Whether a user, a safety limit or a gate had halted a publication when something newer replaced it: a roll back passes it over (docs/decisions/0062).
-- Of those that were replaced before this was kept, what is known now counts.
alter table publication add column ended_halted boolean not null default false;
update publication set ended_halted = true where replaced_at is not null and is_halted(publication);

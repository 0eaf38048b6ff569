-- Why a failed outcome cannot be cured by another try (SER-01), such as notPossible. Null: it may be, or an older agent.
alter table outcome add column code text;

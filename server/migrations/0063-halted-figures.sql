-- How many readers had failed, or were silent, and of how many, when a gate halted its rollout (SEE-02); the other figures go on changing. Null: it was halted
-- before they were kept.
alter table rollout_phase add column halted_count integer, add column halted_readers integer;

-- Numbers by which a host that runs on two PCs is found (AGT-08, decision 92): the last one that was given, the branch that was left, and how often in a row a
-- left branch came back.
alter table host
  add column sequence integer not null default 0,
  add column left_from integer not null default 0,
  add column left_to integer not null default 0,
  add column alternations integer not null default 0,
  -- Since when two PCs check in as this host; null: they do not.
  add column on_two_pcs_at timestamptz;

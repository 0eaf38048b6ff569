-- Attempts at the embedded provider's forms, counted for all servers together. `key` is a hash of what is counted.
create table idp_attempt (
  key text primary key,
  amount integer not null,
  ends_at timestamptz not null
);
create index idp_attempt_end on idp_attempt (ends_at);

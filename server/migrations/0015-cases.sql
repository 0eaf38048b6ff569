-- Support cases, where they are not kept in Salesforce. A case is a person's, known by their address, and no organization's.
create table support_case (
  id bigint generated always as identity (start with 10001) primary key,
  contact_email text not null,
  contact_id text,
  status text not null,
  subject text not null,
  description text not null,
  reason text,
  action_plan text not null,
  priority text not null,
  origin text not null,
  model text,
  record_type_id text,
  record_type_name text,
  created_at timestamptz not null default now(),
  search text generated always as (lower(id::text || ' ' || subject || ' ' || contact_email)) stored
);
-- Ids grow with time, so each of these ends in it: what a page passes over is read from the index alone.
create index support_case_person on support_case (lower(contact_email), id);
create index support_case_status on support_case (status, id);
create index support_case_search on support_case using gin (search gin_trgm_ops);

-- Whom the desk knows by an address.
create index user_email on "user" (lower(email));

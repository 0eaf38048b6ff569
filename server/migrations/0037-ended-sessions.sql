-- Sessions that a hosted identity provider has ended, from its logout tokens: all of a subject that began until then, or one by its `sid`.
create table ended_session (
  issuer text not null,
  -- Of the logout token, which is taken once.
  jti text not null,
  subject text,
  sid text,
  ended_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (issuer, jti),
  check (subject is not null or sid is not null)
);
create index ended_session_subject on ended_session (issuer, subject) where subject is not null;
create index ended_session_sid on ended_session (issuer, sid) where sid is not null;
create index ended_session_expiry on ended_session (expires_at);

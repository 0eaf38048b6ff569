-- What a person may do belongs to a membership (decision 45): a role that is built in, or one of the organization's own.

create table role (
  organization_id integer not null references organization on delete cascade,
  id uuid not null,
  name text not null check (name <> ''),
  permissions text[] not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index role_name on role (organization_id, lower(name));

-- Without either: a member from before, whose first token after the upgrade says what they may do.
alter table member
  add column built_in_role text check (built_in_role in ('viewer', 'operator', 'manager', 'auditor')),
  add column role_id uuid,
  -- Of any call, a few minutes old at most.
  add column last_active_at timestamptz,
  add check (built_in_role is null or role_id is null),
  add foreign key (organization_id, role_id) references role (organization_id, id);
create index member_role on member (organization_id, role_id) where role_id is not null;

-- Which of their organizations a person works in where a call does not say it.
alter table "user" add column active_organization_id integer;

-- For one address, used once. `secret_hash` is of what its link has, `sent_at` null until a mail server, or the operator's list, has it.
create table invitation (
  organization_id integer not null references organization on delete cascade,
  id uuid not null,
  email text not null,
  built_in_role text check (built_in_role in ('viewer', 'operator', 'manager', 'auditor')),
  role_id uuid,
  group_id integer not null,
  secret_hash text not null,
  invited_by uuid not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid,
  revoked_at timestamptz,
  primary key (organization_id, id),
  check ((built_in_role is null) <> (role_id is null)),
  foreign key (organization_id, role_id) references role (organization_id, id),
  foreign key (organization_id, group_id) references "group" (organization_id, id)
);
create unique index invitation_secret on invitation (organization_id, secret_hash);
create unique index invitation_open on invitation (organization_id, lower(email)) where accepted_at is null and revoked_at is null;
create index invitation_role on invitation (organization_id, role_id) where role_id is not null;
create index invitation_group on invitation (organization_id, group_id);

-- What signed the links of before.
delete from signing_secret where purpose = 'invitation';

-- step: roles of members
-- Accounts of the embedded provider say what their members may do. Permissions that guard nothing make no difference but to Manager.
create temporary table amount on commit drop as
  select member.organization_id, member.user_id,
    idp_account.permissions @> '{manage:cfg,manage:firmware,manage:cfg-lib,manage:locations,access:audit_log,access:analytics,access:device-dashboard}' as is_manager,
    array(
      select held from unnest('{manage:cfg,manage:firmware,access:audit_log,access:analytics}'::text[]) with ordinality as one (held, at)
      where held = any(idp_account.permissions) order by at) as held
  from member join "user" on "user".id = member.user_id join idp_account on idp_account.id = "user".subject;

update member set built_in_role = case
    when is_manager then 'manager' when held = '{}' then 'viewer' when held = '{manage:cfg,manage:firmware}' then 'operator' else 'auditor' end
  from amount
  where amount.organization_id = member.organization_id and amount.user_id = member.user_id
    and (is_manager or held in ('{}', '{manage:cfg,manage:firmware}', '{access:audit_log,access:analytics}'));

insert into role (organization_id, id, name, permissions)
  select organization_id, gen_random_uuid(), array_to_string(held, ', '), held
  from (select distinct organization_id, held from amount join member using (organization_id, user_id) where built_in_role is null) own;
update member set role_id = role.id
  from amount join role on role.organization_id = amount.organization_id and role.permissions = amount.held
  where amount.organization_id = member.organization_id and amount.user_id = member.user_id and member.built_in_role is null;

-- step: first managers
-- Where nobody had all permissions, and everybody's are known.
do $$
declare
  chosen record;
begin
  for chosen in
    select distinct on (member.organization_id) member.organization_id, member.user_id, "user".email, organization.name, organization.public_id
    from member join "user" on "user".id = member.user_id join organization on organization.id = member.organization_id
    where not exists (
      select from member other where other.organization_id = member.organization_id
        and (other.built_in_role = 'manager' or (other.built_in_role is null and other.role_id is null)))
    order by member.organization_id, member.joined_at, member.user_id
  loop
    update member set built_in_role = 'manager', role_id = null where organization_id = chosen.organization_id and user_id = chosen.user_id;
    insert into audit_entry (id, organization_id, change_type, target) values (gen_random_uuid(), chosen.organization_id, 'firstManager', chosen.email);
    raise warning '% is Manager of % now, as the longest member: none there had all permissions.',
      chosen.email, coalesce(nullif(chosen.name, ''), chosen.public_id);
  end loop;
end $$;

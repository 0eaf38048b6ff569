import { graphDays } from '@lectern/contract/graphs.ts'

/** A statement that must cross organizations. */
export interface Crossing {
  /** The whole statement, or its beginning before "…". Quotes and line breaks do not matter. */
  statement: string
  /** The aliases of tables whose organization it does not name. */
  crosses: readonly string[]
  reason: string
}

const byNumber =
  'The specification finds it by its number alone. Staff find it in every organization; others only in theirs, which is another statement.'
const person = 'It finds the organizations of a person.'
const fold = 'It adds up the new rows of every organization, each under its own, at once.'
const sweep = 'The sweep looks at what time has made of the rows of every organization.'
const analytics = 'The vendor sees the graphs of all organizations: the folded rows of organization 0, and what is not folded yet.'

const today = `(now() at time zone 'UTC')::date`
const firstDay = `${today} - ${graphDays - 1}::int`
const group = `
  select "group".id, "group".name, "group".organization_id, organization.name as organization_name, (
    select (coalesce(array_agg(product_id order by product_id), '{}'))::bigint[] as ids from group_product
    where group_product.organization_id = "group".organization_id and group_product.group_id = "group".id) as products, (
    select (coalesce(json_agg(json_build_object('firstName', coalesce(first_name, ''), 'lastName', coalesce(last_name, ''), 'email', email)
      order by joined_at, user_id), '[]'))::json as people from member inner join user on user.id = member.user_id
    where member.organization_id = "group".organization_id and member.group_id = "group".id) as people
  from "group" inner join organization on organization.id = "group".organization_id where "group".id = $1`
const reader = `
  select reader.id, reader.organization_id, reader.serial_number, reader.is_lost, reader.code_master_id, device.simulated,
    (greatest(reader.last_activity_at, coalesce(device.last_seen_at, host.readers_seen_at)))::timestamptz as active_at
  from (select id, organization_id, serial_number, is_lost, code_master_id, last_activity_at from reader where id = $1) as reader
  left join device on device.organization_id = reader.organization_id and device.serial_number = reader.serial_number
  left join host on host.organization_id = device.organization_id and host.id = device.host_id order by reader.serial_number`
const config = `
  select config.id, organization.company_id, config.name, config.content
  from config inner join organization on organization.id = config.organization_id`
const release = `
  select *, (
    select (count(*))::integer as zones from publication inner join desired on desired.organization_id = publication.organization_id
      and desired.publication_id = publication.id
    where publication.content_hash = firmware_release.content_hash and publication.device_type = firmware_release.device_type
      and publication.zone_id is not null) as zone_count,
    (select (coalesce(nullif(trim(concat_ws(' ', user.first_name, user.last_name)), ''), user.email))::text as name from user
      where lower(user.email) = lower(created_by) order by user.id limit 1) as created_by_name
  from firmware_release`

export const crossing: readonly Crossing[] = [
  ...['', 'where config.id = $1', 'where company_id = $1'].map((where) => ({
    statement: `${config} ${where} order by config.id`,
    crosses: ['config'],
    reason: byNumber,
  })),
  ...['update config set collection = $1 …', 'delete from config where id = $1 and collection = $2 returning …'].map((statement) => ({
    statement,
    crosses: ['config'],
    reason: byNumber,
  })),
  { statement: group, crosses: ['group_product', 'member', 'group'], reason: byNumber },
  { statement: reader, crosses: ['reader'], reason: byNumber },
  { statement: 'select id from reader where id = $1 for update', crosses: ['reader'], reason: byNumber },
  ...['subject = $2', 'subject = any($2::text[])'].map((which) => ({
    statement: `
      select id, email, email_verified, active_organization_id, subject, (extract(epoch from now() - email_checked_at))::float8 as checked_seconds_ago, (
        select (coalesce(json_agg(json_build_object('id', organization.id, 'publicId', public_id,
          'builtIn', built_in_role, 'own', permissions, 'requiresPasskeys', requires_passkeys, 'zones', case when role.is_limited then (
              select coalesce(json_agg(zone_id order by zone_id), '[]') from (
              select zone_id from role_zone where role_zone.organization_id = role.organization_id and role_zone.role_id = role.id
              union
              select zone_tag.zone_id from role_tag join zone_tag on zone_tag.organization_id = role_tag.organization_id
              and zone_tag.tag_id = role_tag.tag_id
              where role_tag.organization_id = role.organization_id and role_tag.role_id = role.id) as covered) end,
          'isQuiet', last_active_at is null or last_active_at < now() - interval '5 minutes') order by joined_at, public_id), '[]'))::json as ids
        from member inner join organization on organization.id = member.organization_id
        left join role on role.organization_id = member.organization_id and role.id = member.role_id where member.user_id = user.id) as organizations
      from user where issuer = $1 and ${which}`,
    crosses: ['role_zone', 'role_tag', 'zone_tag', 'member', 'role'],
    reason: person,
  })),
  {
    statement: `
      select organization.id, organization.public_id as "publicId" from member inner join organization on organization.id = member.organization_id
      where user_id = $1 order by joined_at, public_id`,
    crosses: ['member'],
    reason: person,
  },
  ...['order by array_position($1', 'where id = $1 order by array_position($2'].map((rest) => ({
    statement: `${release} ${rest}::text[], device_type::text), version_sort desc`,
    crosses: ['publication', 'desired'],
    reason: 'The vendor sees in how many zones a release is desired; a release is for every organization.',
  })),
  {
    statement: `
      select (hash)::text as hash from unnest($1::text[]) as hash where not exists (select from publication where content_hash = hash and zone_id is not null)
        and not exists (select from firmware_release where content_hash = hash) and not exists (select from upload where content_hash = hash)`,
    crosses: ['publication', 'upload'],
    reason: 'A content is stored once for all organizations, and removed when none refers to it.',
  },
  {
    statement: `delete from upload where ctid = any(array(select ctid from upload where uploaded_at < now() - interval '24 hours' limit 10000))`,
    crosses: ['upload', 'upload'],
    reason: sweep,
  },
  {
    statement: `
      select (f.organization_id)::integer as "organizationId", (f.rollout_id)::text as "id" from rollout_phase f
      where f.started_at is not null and f.ended_at is null and (
        f.halted_at is null and f.soak_minutes is not null and not ((f.is_overridden or f.max_failed_percent is null or f.impossible >= f.readers)
          and coalesce(f.done_at + make_interval(mins => f.soak_minutes) <= now(), false) and f.applied + f.failed + f.silent >= f.readers)
        or f.counted_at between now() - interval '7 days' and now() - interval '1 hour'
      ) and exists (
        select from publication p where p.organization_id = f.organization_id and p.rollout_id = f.rollout_id and p.replaced_at is null)`,
    crosses: ['f', 'p'],
    reason: sweep,
  },
  {
    statement: 'delete from passkey_recovery where expires_at < (now())::timestamptz',
    crosses: ['passkey_recovery'],
    reason: sweep,
  },
  ...[
    'select (count(distinct browser))::integer as amount from passkey_recovery where user_id = $1 and passkey_recovery.expires_at > now()',
    ...['', ' and browser = $2', ' and browser <> $2'].map((which) => `delete from passkey_recovery where user_id = $1${which}`),
  ].map((statement) => ({
    statement,
    crosses: ['passkey_recovery'],
    reason: 'A person asks in each organization that requires passkeys of them; a request that is confirmed or used ends the others.',
  })),
  {
    statement: `delete from event where ctid = any(array(select ctid from event where created_at < now() - interval '24 hours' limit 10000))`,
    crosses: ['event', 'event'],
    reason: sweep,
  },
  {
    statement: `delete from idempotency_key where ctid = any(array(select ctid from idempotency_key where created_at < now() - interval '24 hours' limit 10000))`,
    crosses: ['idempotency_key', 'idempotency_key'],
    reason: sweep,
  },
  ...['last_seen_at is not null and not offline', 'last_seen_at is not null and offline', 'not warranty_due', 'warranty_due'].map(
    (mark) => ({
      statement: `select (o.id)::integer as id from organization o where exists (select from device where organization_id = o.id and ${mark} and …`,
      crosses: ['device'],
      reason: sweep,
    }),
  ),
  ...['not readers_offline', 'readers_offline'].map((mark) => ({
    statement: `select (o.id)::integer as id from organization o where exists (select from host where organization_id = o.id and ${mark} and …`,
    crosses: ['host'],
    reason: sweep,
  })),
  ...[" where not is_stopped and beat_at <= now() - interval '30 seconds'", ', beat_at = now() where id = $1'].map((which) => ({
    statement: `
      with gone as (update server_beat set is_stopped = true${which} returning id, beat_at)
      update host set stream_closed_at = gone.beat_at from gone where host.stream_server = gone.id and host.stream_closed_at is null`,
    crosses: ['host'],
    reason: 'A server that is gone had streams of hosts of every organization.',
  })),
  {
    statement: `
      delete from reported_device where (organization_id, device_id) in (
        select organization_id, device_id from reported_device where day < ${firstDay} limit $1 for update skip locked)`,
    crosses: ['reported_device', 'reported_device'],
    reason: sweep,
  },
  {
    statement: `
      update decode_use set used_on = null where (organization_id, serial_number) in (
        select organization_id, serial_number from decode_use where used_on < ${firstDay} limit $1 for update skip locked)`,
    crosses: ['decode_use', 'decode_use'],
    reason: sweep,
  },
  {
    statement: `
      delete from decode_use where (organization_id, serial_number) in (
        select organization_id, serial_number from decode_use where licences = 0 and used_on is null limit $1 for update skip locked)`,
    crosses: ['decode_use', 'decode_use'],
    reason: sweep,
  },
  {
    statement: `
      delete from saved_configuration where ctid = any(array(select ctid from saved_configuration
        where deleted_at < now() - make_interval(days => 30) limit 10000))`,
    crosses: ['saved_configuration', 'saved_configuration'],
    reason: sweep,
  },
  {
    statement: `
      delete from device_day where ctid in (
        select ctid from device_day where day < ${firstDay} - 1 and is_folded limit $1 for update skip locked)`,
    crosses: ['device_day', 'device_day'],
    reason: sweep,
  },
  ...[
    'audit_count',
    'audit_fold',
    'device_count',
    'device_total',
    'firmware_count',
    'firmware_total',
    'device_day',
    'device_tally',
    'licence_tally',
    'rollout_count',
    'storage_count',
  ].map((table) => ({
    statement: `
      with fresh as (
        delete from ${table} where ctid = any(array(select ctid from ${table} where not is_folded limit 20000)) returning organization_id, …`,
    crosses: [table, table],
    reason: fold,
  })),
  {
    statement: 'select distinct organization_id from present_change',
    crosses: ['present_change'],
    reason: 'The fold finds the organizations whose readers have moved.',
  },
  {
    statement: `
      with counted as (
        select day, sum(devices)::int as devices
        from (select day, devices from device_day where organization_id = 0 and day between ${firstDay} and ${today}
          union all select day, devices from device_day where not is_folded and day between …`,
    crosses: ['device_day'],
    reason: analytics,
  },
  ...['model', 'os', 'city'].map((kind) => ({
    statement: `
      with gone as materialized (
        select ${kind} as value, count(*) as devices, sum(round(1e6 * cosd(latitude) * cosd(longitude))) as x,
          sum(round(1e6 * cosd(latitude) * sind(longitude))) as y, sum(round(1e6 * sind(latitude))) as z
        from reported_device where day < ${firstDay} and true group by 1
      ), added as materialized (
        select value, sum(devices) as devices, sum(x) as x, sum(y) as y, sum(z) as z
        from device_tally where not is_folded and kind = '${kind}' …`,
    crosses: ['reported_device', 'device_tally'],
    reason: analytics,
  })),
  {
    statement: 'select (coalesce(sum(simulated), 0))::integer as simulated from device_total where simulated <> 0',
    crosses: ['device_total'],
    reason: 'The vendor sees how many of the readers in its graphs do not exist.',
  },
  {
    statement: `
      select (coalesce(sum(total), 0))::integer as total, (coalesce(sum(using_decode), 0) - (
        select coalesce(sum(licences), 0) from decode_use where used_on < ${firstDay} and true))::integer as "usingDecode"
      from (select total, using_decode from licence_tally where organization_id = 0 and true
        union all select total, using_decode from licence_tally where not is_folded and true) part`,
    crosses: ['decode_use', 'licence_tally'],
    reason: analytics,
  },
]

import type pg from 'pg'

/** Two queries with equal columns: what the database keeps, and the same counted from the underlying rows. */
interface Figure {
  name: string
  kept: string
  counted: string
}

export interface Comparison {
  name: string
  compared: number
  /** Rows that only one side has. */
  differences: string[]
}

const marks = ['offline', 'low_battery', 'warranty_due', 'drifted', 'simulated']
const sums = (columns: readonly string[]) => columns.map((column) => `sum(${column})::int as ${column}`).join()
const countMarks = marks.map((mark) => `(count(*) filter (where ${mark}))::int as ${mark}`).join()
const anySum = (columns: readonly string[]) => columns.map((column) => `sum(${column}) <> 0`).join(' or ')
/** Rows of a count for all organizations: folded ones, and those that are not folded yet. */
const ofAll = `(organization_id = 0 or not is_folded)`

const readers: Figure[] = [
  {
    name: 'readers by zone and model, with each tile',
    kept: `select organization_id, zone_id, device_type, sum(total)::int as total, ${sums(marks)} from device_count group by 1, 2, 3 having ${anySum(['total', ...marks])}`,
    counted: `select organization_id, coalesce(zone_id, 0), device_type, count(*)::int, ${countMarks} from device group by 1, 2, 3`,
  },
  {
    name: 'readers of an organization, with each tile',
    kept: `select organization_id, sum(total)::int as total, ${sums(marks)} from device_total group by 1 having ${anySum(['total', ...marks])}`,
    counted: `select organization_id, count(*)::int, ${countMarks} from device group by 1`,
  },
  {
    name: 'readers by zone, model and firmware',
    kept: `select organization_id, zone_id, device_type, firmware_id, sum(total)::int from firmware_count group by 1, 2, 3, 4 having sum(total) <> 0`,
    counted: `select organization_id, coalesce(zone_id, 0), device_type, firmware_id, count(*)::int from device where firmware_id is not null group by 1, 2, 3, 4`,
  },
  {
    name: "a reader's own marks, of battery, warranty and time",
    kept: 'select organization_id, id, low_battery, warranty_due, offline from device',
    counted: `select d.organization_id, d.id, coalesce(battery_health < 25, false),
      coalesce(warranty_until <= (now() at time zone 'UTC')::date + interval '3 months', false),
      coalesce(d.last_seen_at, h.readers_seen_at) < now() - interval '72 hours'
      from device d left join host h on h.organization_id = d.organization_id and h.id = d.host_id`,
  },
  {
    // Marks may be set where no reader has them any more.
    name: "marks of a host's readers",
    kept: `select h.organization_id, h.id, h.readers_offline or not bool_or(d.offline), h.has_low_battery or not bool_or(low_battery),
      h.has_warranty_due or not bool_or(warranty_due), h.has_drifted or not bool_or(drifted)
      from host h join device d on d.organization_id = h.organization_id and d.host_id = h.id and d.last_seen_at is null group by h.organization_id, h.id`,
    counted: `select organization_id, host_id, true, true, true, true from device where host_id is not null and last_seen_at is null group by 1, 2`,
  },
]

const days = `select organization_id, lower(span) + n as day from reported_device, unnest(days) span, generate_series(0, upper(span) - lower(span) - 1) n`
const tally = `select organization_id, kind, value, count(*)::int as devices, sum(x)::bigint as x, sum(y)::bigint as y, sum(z)::bigint as z
  from reported_device, lateral (values ('model', model, 0, 0, 0), ('os', os, 0, 0, 0), ('city', city, round(1e6 * cosd(latitude) * cosd(longitude)),
    round(1e6 * cosd(latitude) * sind(longitude)), round(1e6 * sind(latitude)))) part (kind, value, x, y, z) where value is not null`
const tallySums = 'sum(devices)::int, sum(x)::bigint, sum(y)::bigint, sum(z)::bigint'
const tallyOf = tally.replace('organization_id, kind', 'kind')
const licences = `sum(licences)::int, coalesce(sum(licences) filter (where used_on is not null), 0)::int`

const usage: Figure[] = [
  {
    name: 'devices a UTC day',
    kept: 'select organization_id, day, sum(devices)::int from device_day where organization_id <> 0 group by 1, 2 having sum(devices) <> 0',
    counted: `select organization_id, day, count(*)::int from (${days}) one group by 1, 2`,
  },
  {
    name: 'devices a UTC day, of all organizations',
    kept: `select day, sum(devices)::int from device_day where ${ofAll} group by 1 having sum(devices) <> 0`,
    counted: `select day, count(*)::int from (${days}) one group by 1`,
  },
  {
    name: 'days on which readers were seen with their host',
    kept: `select d.organization_id, d.id, coalesce(r.days @> (h.readers_seen_at at time zone 'UTC')::date, false)
      from device d join host h on h.organization_id = d.organization_id and h.id = d.host_id
      left join reported_device r on r.organization_id = d.organization_id and r.device_id = d.serial_number where d.last_seen_at is null`,
    counted: 'select organization_id, id, true from device where host_id is not null and last_seen_at is null',
  },
  {
    name: 'devices by model, system and city',
    kept: `select organization_id, kind, value, ${tallySums} from device_tally where organization_id <> 0 group by 1, 2, 3 having sum(devices) <> 0`,
    counted: `${tally} group by 1, 2, 3`,
  },
  {
    name: 'the same, of all organizations',
    kept: `select kind, value, ${tallySums} from device_tally where ${ofAll} group by 1, 2 having sum(devices) <> 0`,
    counted: `${tallyOf} group by 1, 2`,
  },
  {
    name: 'licensed devices, and those that decode',
    kept: 'select organization_id, sum(total)::int, sum(using_decode)::int from licence_tally where organization_id <> 0 group by 1 having sum(total) <> 0',
    counted: `select organization_id, ${licences} from decode_use group by 1 having sum(licences) <> 0`,
  },
  {
    name: 'the same, of all organizations (licences)',
    kept: `select sum(total)::int, sum(using_decode)::int from licence_tally where ${ofAll}`,
    counted: `select ${licences} from decode_use`,
  },
  {
    name: 'licences that name a device',
    kept: 'select organization_id, serial_number, licences from decode_use where licences <> 0',
    counted: 'select organization_id, serial, count(*)::int from licence, unnest(serial_numbers) serial group by 1, 2',
  },
]

const publishing: Figure[] = [
  // Exactly the newest publication of each kind in a zone and model.
  {
    name: 'what zones desire',
    kept: 'select organization_id, zone_id, device_type, kind, publication_id, revision from desired',
    counted: `select distinct on (organization_id, zone_id, device_type, kind) organization_id, zone_id, device_type, kind, id, revision
      from publication where zone_id is not null order by organization_id, zone_id, device_type, kind, revision desc`,
  },
  {
    name: 'revisions, without a gap',
    kept: `select organization_id, zone_id, device_type, kind, max(revision) from publication where zone_id is not null group by 1, 2, 3, 4`,
    counted: `select organization_id, zone_id, device_type, kind, count(*)::int from publication where zone_id is not null group by 1, 2, 3, 4`,
  },
  {
    name: 'publications that are not replaced',
    kept: 'select organization_id, id from publication where replaced_at is null',
    counted: 'select organization_id, publication_id from desired',
  },
  {
    name: 'applied, failed and gone of a publication',
    kept: 'select organization_id, id, applied, failed, gone from publication',
    counted: `select p.organization_id, p.id, (count(*) filter (where outcome = 'applied'))::int, (count(*) filter (where outcome = 'failed' and not retrying))::int,
      (count(*) filter (where not is_here))::int
      from publication p left join outcome o on o.organization_id = p.organization_id and o.publication_id = p.id group by 1, 2`,
  },
  {
    name: 'whether the reader of an outcome is in its zone',
    kept: `select o.organization_id, publication_id, device_id, is_here from outcome o
      join publication p on p.organization_id = o.organization_id and p.id = o.publication_id where replaced_at is null`,
    counted: `select o.organization_id, publication_id, device_id, (d.zone_id = p.zone_id and d.device_type = p.device_type) is true from outcome o
      join publication p on p.organization_id = o.organization_id and p.id = o.publication_id
      join device d on d.organization_id = o.organization_id and d.id = o.device_id where replaced_at is null`,
  },
]

const rolloutSums = [
  'parts',
  'zones',
  'readers',
  'applied',
  'failed',
  'replaced',
  'ended',
  'settled',
  'halted',
  'current',
  'held',
  'retryable',
]
const present = `(select count(*) from device d where d.organization_id = p.organization_id and d.zone_id = p.zone_id and d.device_type = p.device_type)::int`
/** Readers that came to a zone and model or left it since the fold counted them. */
const moved = `select p.organization_id, rollout_id, p.device_type, number / 32 as block, sum(c.total - p.present) as readers, sum((c.total - p.present) * (halted_at is not null)::int) as halted
  from (select distinct organization_id, zone_id, device_type from present_change) change
  join publication p on p.organization_id = change.organization_id and p.zone_id = change.zone_id and p.device_type = change.device_type and p.replaced_at is null
  cross join lateral (select coalesce(sum(total), 0) as total from device_count c
    where c.organization_id = p.organization_id and c.zone_id = p.zone_id and c.device_type = p.device_type) c group by 1, 2, 3, 4`
/** Publications with what became of their readers, counted. */
const publicationsCounted = `select p.organization_id, p.rollout_id, p.device_type, p.number / 32 as block, p.zone_id, p.zone_name, p.id, p.halted_at is not null as is_held,
    p.replaced_at is not null as is_replaced, o.applied, o.failed, o.retryable,
    case when p.replaced_at is null then ${present} + o.gone else greatest(p.replaced_readers, o.applied + o.failed) end as readers
  from publication p cross join lateral (
    select (count(*) filter (where o.outcome = 'applied'))::int as applied, (count(*) filter (where o.outcome = 'failed' and not o.retrying))::int as failed,
      (count(*) filter (where (d.zone_id, d.device_type) is distinct from (p.zone_id, p.device_type)))::int as gone,
      (count(*) filter (where o.outcome = 'failed' and not o.retrying and o.code is null and (d.zone_id, d.device_type) = (p.zone_id, p.device_type)))::int as retryable
    from outcome o join device d on d.organization_id = o.organization_id and d.id = o.device_id
    where o.organization_id = p.organization_id and o.publication_id = p.id) o`

const rollouts: Figure[] = [
  {
    name: 'sums of a rollout, by model and 32 publications',
    kept: `select k.organization_id, k.rollout_id, k.device_type, k.block, parts, k.readers + coalesce(m.readers, 0)::int, applied, failed, replaced, ended, settled,
        halted + coalesce(m.halted_readers, 0)::int, current, held, retryable
      from (select organization_id, rollout_id, device_type, block, ${sums(rolloutSums)} from rollout_count group by 1, 2, 3, 4 having sum(parts) <> 0) k
      left join (select organization_id, rollout_id, device_type, block, readers, halted as halted_readers from (${moved}) moved) m using (organization_id, rollout_id, device_type, block)`,
    counted: `select organization_id, rollout_id, device_type, block, count(*)::int, sum(readers)::int, sum(applied)::int, sum(failed)::int, sum(open * is_replaced::int)::int,
        sum((is_replaced and (open > 0 or readers = 0))::int)::int, sum((applied + failed) * (not is_replaced or open = 0)::int)::int,
        sum(open * (not is_replaced and is_held)::int)::int, sum((not is_replaced)::int)::int, sum((not is_replaced and is_held)::int)::int,
        sum(retryable * (not is_replaced)::int)::int
      from (${publicationsCounted}) p, lateral (select readers - applied - failed as open) o group by 1, 2, 3, 4`,
  },
  {
    name: 'zones of a rollout',
    kept: 'select organization_id, rollout_id, sum(zones)::int from rollout_count group by 1, 2 having sum(zones) <> 0',
    counted: 'select organization_id, rollout_id, count(distinct coalesce(zone_id::text, zone_name))::int from publication group by 1, 2',
  },
  {
    name: 'what a rollout holds for which model',
    kept: 'select organization_id, rollout_id, device_type, content, content_hash, file_name, version from rollout_content',
    counted: 'select distinct organization_id, rollout_id, device_type, content, content_hash, file_name, version from publication',
  },
  {
    name: 'when a publication settled and failed last, and how many of its failed readers have left or cannot take it',
    kept: 'select organization_id, id, settled_at, failed_at, failed_gone, impossible from publication',
    counted: `select p.organization_id, p.id, max(reported_at) filter (where not retrying), max(reported_at) filter (where not retrying and outcome = 'failed'),
      (count(*) filter (where not retrying and outcome = 'failed' and (not is_here or code is not null)))::int,
      (count(*) filter (where not retrying and outcome = 'failed' and code is not null))::int
      from publication p left join outcome o on o.organization_id = p.organization_id and o.publication_id = p.id group by 1, 2`,
  },
]

const others: Figure[] = [
  {
    name: 'audit entries by type',
    kept: 'select organization_id, change_type, sum(amount)::int, sum(heads)::int from audit_count group by 1, 2 having sum(amount) <> 0',
    counted: 'select organization_id, change_type, count(*)::int, (count(*) filter (where depth = 0))::int from audit_entry group by 1, 2',
  },
  {
    name: 'what the audit entry of a rollout represents',
    kept: 'select organization_id, rollout_id, sum(zones)::int, sum(parts)::int, sum(readers)::int from audit_fold group by 1, 2',
    counted: `select organization_id, rollout_id, (count(*) filter (where is_part and depth <= 1))::int, (count(*) filter (where is_part))::int,
      (count(*) filter (where depth = 3))::int
      from audit_entry, lateral (select change_type in ('ZoneConfigChange', 'ZoneFirmwareChange') as is_part) p
      where rollout_id is not null and (is_part or depth = 3) group by 1, 2`,
  },
  {
    name: 'members of a group',
    kept: 'select organization_id, id, member_count from "group"',
    counted: 'select g.organization_id, g.id, count(m)::int from "group" g left join member m on m.group_id = g.id group by 1, 2',
  },
  {
    name: 'organizations, groups and members of all',
    kept: 'select organizations, groups, members from directory_count',
    counted: 'select (select count(*) from organization)::int, (select count(*) from "group")::int, (select count(*) from member)::int',
  },
  {
    name: 'licences of an organization',
    kept: 'select id, licence_count from organization',
    counted: 'select o.id, count(l)::int from organization o left join licence l on l.organization_id = o.id group by 1',
  },
]

const folded = [
  'rollout_count',
  'audit_count',
  'audit_fold',
  'device_count',
  'device_total',
  'firmware_count',
  'device_day',
  'device_tally',
  'licence_tally',
]

/** Compares every kept figure with counting, in one snapshot of the database. */
export async function compareKept(client: pg.Client): Promise<Comparison[]> {
  const found: Comparison[] = []
  await client.query('begin isolation level repeatable read')
  for (const { name, kept, counted } of [...readers, ...usage, ...publishing, ...rollouts, ...others]) {
    const { rows: sizes } = await client.query<{ compared: number }>(`select count(*)::int as compared from (${counted}) counted`)
    const { rows } = await client.query<{ text: string }>(
      `with kept as (${kept}), counted as (${counted})
       select 'kept ' || a::text as text from (select * from kept except all select * from counted) a
       union all select 'counted ' || b::text from (select * from counted except all select * from kept) b`,
    )
    found.push({ name, compared: sizes[0]!.compared, differences: rows.map(({ text }) => text) })
  }
  await client.query('commit')
  return found
}

/** Whether the sweep has folded each count into one row. */
export async function isFolded(client: pg.Client): Promise<boolean> {
  const open = folded.map((table) => `select from ${table} where not is_folded`).join(' union all ')
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from (${open}) open`)
  return rows[0]!.count === 0
}

import type { ContentKind, StoredKind } from '@lectern/contract/publications/content-kind.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { configurationLabel, contentLabel } from '../../lib/database/names.ts'
import { bigint, boolean, integer, orNull, type RowOf, read, text } from '../../lib/database/rows.ts'
import { isSameContent } from '../../lib/database/same-content.ts'
import { isHostSilent } from '../../lib/database/silent.ts'
import { isInZones } from '../../lib/database/zone-scope.ts'
import { isForReader } from '../present-sql.ts'
import type { ScopedRollout } from '../sql.ts'

type Sql = RawBuilder<unknown>

/** SQL: selects the current publications of a rollout in the scope's zones. */
export const currentParts = ({ organizationId, zones, id }: ScopedRollout): Sql => sql`
  select * from publication p
  where p.organization_id = ${organizationId} and p.rollout_id = ${id} and p.replaced_at is null and ${isInZones({ zones }, sql`p.zone_id`)}`

/**
 * SQL: selects the readers that publications `parts` have reached, with what each ran before. `previous_id`: of the reported content; it is
 * stored with the outcome, or in `previous_content` until there is an outcome. Null where it is not known.
 */
const reached = (organizationId: number, parts: Sql): Sql => sql`
  select p.id as publication_id, o.device_id, o.outcome, o.previous_id from (${parts}) p
  join outcome o on o.organization_id = ${organizationId} and o.publication_id = p.id
  union all
  select p.id, f.device_id, null, f.reported_id from (${parts}) p
  join previous_content f on f.organization_id = ${organizationId} and f.publication_id = p.id
  where not exists (
    select from outcome o where o.organization_id = ${organizationId} and o.publication_id = p.id and o.device_id = f.device_id)
  union all
  -- Its host PC reports progress, so it has started.
  select p.id, g.device_id, null, null from (${parts}) p
  join progress g on g.organization_id = ${organizationId} and g.publication_id = p.id and g.device_id is not null
  where not exists (
    select from outcome o where o.organization_id = ${organizationId} and o.publication_id = p.id and o.device_id = g.device_id)
    and not exists (
    select from previous_content f where f.organization_id = ${organizationId} and f.publication_id = p.id and f.device_id = g.device_id)`

/** SQL: selects each content that a `reader` ran before and that can be published again. A release can only while it is offered. */
const available = (organizationId: number): Sql => sql`
  select f.kind, f.device_type, f.previous_id, c.* from (select distinct kind, device_type, previous_id from reader where previous_id > 0) f
  cross join lateral (
    (select 'firmware' as content, r.content_hash, r.size, r.file_name, r.version, r.version_order
    from reported_firmware own join firmware_release r on r.device_type = f.device_type and r.version_order = own.version_order and r.is_offered
    where f.kind = 'firmware' and own.organization_id = ${organizationId} and own.id = f.previous_id limit 1)
    union all
    (select q.content, q.content_hash, q.size, q.file_name, null, null
    from reported_configuration own join publication q on q.organization_id = ${organizationId} and q.content_hash = own.content_hash
      and q.zone_id is not null and q.kind = 'configuration' and ${configurationLabel('q')} = own.label
    where f.kind = 'configuration' and own.organization_id = ${organizationId} and own.id = f.previous_id limit 1)
  ) c`

/**
 * SQL: selects the content that reader `c` ran before, as its last outcome before the publication proves. It is used where no previous
 * content is stored, and for a customer's own firmware file, as such a file has no version by which to find it.
 */
const proven = (organizationId: number): Sql => sql`
  select q.content, q.content_hash, q.size, q.file_name, q.version, q.version_order from (
    select q.* from outcome o join publication q on q.organization_id = ${organizationId} and q.id = o.publication_id
    where o.organization_id = ${organizationId} and o.device_id = c.device_id and o.outcome = 'applied' and q.kind = c.kind
      and q.device_type = c.device_type and q.published_at < c.published_at and q.id <> c.publication_id
      and c.content is null and not c.is_same
    order by o.happened_at desc limit 1
  ) q where case when c.keeps_previous then c.previous_id > 0 and q.kind = 'firmware' and q.version_order is null
    else q.version_order is null or exists (
      select from firmware_release r where r.device_type = q.device_type and r.version_order = q.version_order and r.is_offered) end`

/**
 * What becomes of a reader that a rollout reached. `givenBack`: it gets back what it ran before. `hasIt`: it runs that already. `leftAlone`:
 * it moved, or runs neither what the rollout gave it nor what it ran before. `unavailable`: what it ran before is not known, or does not
 * exist any more.
 */
export type Verdict = 'givenBack' | 'hasIt' | 'leftAlone' | 'unavailable'

// SQL: whether what `reader` runs, or ran before, is what was published for it.
const isPublished = (which: 'runs' | 'previous'): Sql =>
  isSameContent(
    { configuration: `${which}_c`, firmware: `${which}_f` },
    {
      isFirmware: sql`reader.kind = 'firmware'`,
      order: sql`reader.published_order`,
      hash: sql`reader.published_hash`,
      label: sql`reader.published_label`,
    },
  )

/** SQL: the beginning of a statement, with the table `planned`: readers of `parts` with their verdicts. */
const withPlan = (organizationId: number, parts: Sql): Sql => sql`
  with reader as materialized (
    select r.publication_id, r.device_id, r.outcome, p.zone_id, p.device_type, p.kind, p.rollout_id, p.published_at, p.keeps_previous,
      p.content_hash as published_hash, p.version_order as published_order, ${configurationLabel('p')} as published_label,
      (d.zone_id = p.zone_id and d.device_type = p.device_type) is true as is_here,
      case when p.kind = 'firmware' then d.firmware_id else d.configuration_id end as runs_id,
      -- Without an outcome and a stored previous content, it still runs what it ran before.
      coalesce(r.previous_id, case when r.outcome is null then case when p.kind = 'firmware' then d.firmware_id else d.configuration_id end end) as previous_id
    from (${reached(organizationId, parts)}) r
    join publication p on p.organization_id = ${organizationId} and p.id = r.publication_id
    join device d on d.organization_id = ${organizationId} and d.id = r.device_id
    where r.outcome is distinct from 'kept'
  ), available as materialized (${available(organizationId)}), compared as (
    select reader.*, a.content, a.content_hash, a.size, a.file_name, a.version, a.version_order,
      coalesce(${isPublished('runs')}, reader.published_order is null and reader.kind = 'firmware' and reader.outcome = 'applied') as runs_published,
      coalesce(reader.runs_id, 0) = reader.previous_id or coalesce(runs_f.version_order = previous_f.version_order, false) as runs_previous,
      coalesce(${isPublished('previous')}, false) as is_same
    from reader
    left join available a on a.kind = reader.kind and a.device_type = reader.device_type and a.previous_id = reader.previous_id
    left join reported_firmware runs_f on reader.kind = 'firmware' and runs_f.organization_id = ${organizationId} and runs_f.id = reader.runs_id
    left join reported_firmware previous_f on reader.kind = 'firmware' and previous_f.organization_id = ${organizationId} and previous_f.id = reader.previous_id
    left join reported_configuration runs_c on reader.kind = 'configuration' and runs_c.organization_id = ${organizationId} and runs_c.id = reader.runs_id
    left join reported_configuration previous_c on reader.kind = 'configuration' and previous_c.organization_id = ${organizationId} and previous_c.id = reader.previous_id
  ), resolved as (
    select c.publication_id, c.device_id, c.zone_id, c.device_type, c.kind, c.outcome, c.is_here, c.runs_published, c.runs_previous, c.is_same, c.published_order,
      coalesce(c.content, q.content) as content, coalesce(c.content_hash, q.content_hash) as content_hash, coalesce(c.size, q.size) as size,
      case when c.content is null then q.file_name else c.file_name end as file_name, case when c.content is null then q.version else c.version end as version,
      case when c.content is null then q.version_order else c.version_order end as version_order
    from compared c left join lateral (${proven(organizationId)}) q on true
  ), planned as (
    select *, case
      when not is_here then 'leftAlone'
      when is_same or outcome = 'failed' and runs_previous then 'hasIt'
      when not coalesce(runs_published, false) and not (coalesce(runs_previous, false) and outcome is distinct from 'failed') then 'leftAlone'
      when content is not null then 'givenBack'
      else 'unavailable' end as verdict,
      coalesce(kind = 'firmware' and version_rank(version_order) collate "C" < version_rank(published_order) collate "C", false) as is_older
    from resolved
  )`

const planColumns = {
  model: text(sql`device_type`),
  kind: text<ContentKind>(sql`kind`),
  verdict: text<Verdict>(sql`verdict`),
  isOlder: boolean(sql`is_older`),
  name: orNull(text(sql`case when verdict = 'givenBack' then ${contentLabel('planned')} end`)),
  readers: integer(sql`count(*)`),
}

/** Counts readers by verdict, model, kind, and the name of what they get back. */
export const selectPlanCounts = (db: Database, rollout: ScopedRollout) =>
  read(
    db,
    planColumns,
    (list) => sql`
      ${withPlan(rollout.organizationId, currentParts(rollout))} select ${list} from planned
      group by device_type, kind, verdict, is_older, 5`,
  )

const readerColumns = {
  publication: text(sql`publication_id`),
  device: bigint(sql`device_id`),
  zone: integer(sql`zone_id`),
  model: text(sql`device_type`),
  kind: text<ContentKind>(sql`kind`),
  verdict: text<Verdict>(sql`verdict`),
  isOlder: boolean(sql`is_older`),
  content: orNull(text<StoredKind>(sql`content`)),
  hash: orNull(text(sql`content_hash`)),
  size: orNull(bigint(sql`size`)),
  fileName: orNull(text(sql`file_name`)),
  version: orNull(text(sql`version`)),
  versionOrder: orNull(text(sql`version_order`)),
}
export type PlannedReader = RowOf<typeof readerColumns>

export const selectPlan = (db: Database, rollout: ScopedRollout): Promise<PlannedReader[]> =>
  read(
    db,
    readerColumns,
    (list) =>
      sql`${withPlan(rollout.organizationId, currentParts(rollout))} select ${list} from planned order by zone_id, device_type, kind, device_id`,
  )

/** Returns the plan for readers that a rollout reached after it was taken back. `late`: its outcomes on them. */
export const selectLatePlan = (
  db: Database,
  organizationId: number,
  late: readonly { publication: string; serialNumber: string }[],
): Promise<PlannedReader[]> =>
  read(
    db,
    readerColumns,
    (list) => sql`
      ${withPlan(organizationId, sql`select * from publication p where p.organization_id = ${organizationId} and p.id = any(${late.map(({ publication }) => publication)}::uuid[])`)}
      select ${list} from planned where (publication_id, device_id) in (
        select late.publication, d.id
        from unnest(${late.map(({ publication }) => publication)}::uuid[], ${late.map(({ serialNumber }) => serialNumber)}::text[]) late (publication, serial)
        join device d on d.organization_id = ${organizationId} and d.serial_number = late.serial)
      order by zone_id, device_type, kind, device_id`,
  )

/**
 * Counts readers that the rollout has not reached. `isKnown`: whether their host PC is online or gone. Another one may still update them
 * before it hears of the roll back.
 */
export const selectUnreached = (db: Database, rollout: ScopedRollout) =>
  read(
    db,
    {
      model: text(sql`p.device_type`),
      kind: text<ContentKind>(sql`p.kind`),
      isKnown: boolean(sql`host.id is null or host.revoked_at is not null or not ${isHostSilent(rollout.organizationId, 'host')}`),
      readers: integer(sql`count(*)`),
    },
    (list) => sql`
      select ${list} from (${currentParts(rollout)}) p
      join device d on d.organization_id = ${rollout.organizationId} and d.zone_id = p.zone_id and d.device_type = p.device_type and ${isForReader}
      left join host on host.organization_id = ${rollout.organizationId} and host.id = d.host_id
      where not exists (
        select from (${reached(rollout.organizationId, sql`select p.id`)}) r where r.device_id = d.id)
      group by 1, 2, 3`,
  )

import type { Outcome, Progress } from '@lectern/contract/hosts.ts'
import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { prepared } from '../lib/database/prepared.ts'
import { readerPhaseNow } from '../lib/database/reader-phase.ts'
import { boolean, instant, integer, orNull, read, text } from '../lib/database/rows.ts'
import type { Host, ZoneIds } from '../lib/http/caller.ts'

export const selectHost = (db: Database, credentialHash: string) =>
  db
    .selectFrom('host_credential')
    .innerJoin('host', (join) =>
      join.onRef('host.organization_id', '=', 'host_credential.organization_id').onRef('host.id', '=', 'host_credential.host_id'),
    )
    .innerJoin('organization', 'organization.id', 'host.organization_id')
    .leftJoin('zone', (join) => join.onRef('zone.organization_id', '=', 'host.organization_id').onRef('zone.id', '=', 'host.zone_id'))
    .select(['host.id', 'host.public_id', 'host.organization_id', 'host.zone_id', 'host.name', 'host.driver', 'host.revoked_at'])
    .select(['host.time_zone', 'host.time_zone_history', 'host.agent_version', 'host.on_two_pcs_at'])
    .select(['organization.public_id as public_organization_id', 'zone.public_id as public_zone_id'])
    .where('credential_hash', '=', credentialHash)
    .modifyEnd(prepared)
    .executeTakeFirst()

export const selectZone = (db: Database, organizationId: number, publicId: string) =>
  db.selectFrom('zone').select(['id', 'name']).where('organization_id', '=', organizationId).where('public_id', '=', publicId)

export const selectZoneName = (db: Database, organizationId: number, zoneId: number) =>
  db
    .selectFrom('zone')
    .select(['name', 'withdrawals'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', zoneId)
    .executeTakeFirst()

interface NewHost {
  public_id: string
  organization_id: number
  zone_id: number
  licence_id: string
  name: string
  time_zone: string
  agent_version: string
  /** Null where it is not known. */
  driver: string | null
}

/** Returns false where a host has the credential already. */
export async function insertHost(db: Database, host: NewHost, credential_hash: string): Promise<boolean> {
  const { organization_id } = host
  const credential = await db
    .insertInto('host_credential')
    .values({ credential_hash, organization_id, host_id: integer(sql`nextval(pg_get_serial_sequence('host', 'id'))`) })
    .onConflict((conflict) => conflict.column('credential_hash').doNothing())
    .returning('host_id')
    .executeTakeFirst()
  if (!credential) return false
  await db
    .insertInto('host')
    .values({ id: credential.host_id, ...host })
    .execute()
  return true
}

export const updateHostFacts = (
  db: Database,
  { organizationId, hostId }: Pick<Host, 'organizationId' | 'hostId'>,
  facts: Pick<NewHost, 'name' | 'time_zone' | 'agent_version'>,
) => db.updateTable('host').set(facts).where('organization_id', '=', organizationId).where('id', '=', hostId).execute()

const replacedColumns = {
  name: text(sql`revoked.name`),
  driver: orNull(text(sql`revoked.driver`)),
  zoneId: orNull(text(sql`zone.public_id`)),
  zoneName: orNull(text(sql`zone.name`)),
}

/** Revokes the host of a credential where it is marked as on two PCs. Returns undefined where it is not, or is revoked already. */
export async function revokeReplaced(db: Database, organizationId: number, credentialHash: string) {
  const [host] = await read(
    db,
    replacedColumns,
    (list) => sql`
      with revoked as (
        update host set revoked_at = now() from host_credential c
        where c.organization_id = ${organizationId} and c.credential_hash = ${credentialHash} and host.organization_id = ${organizationId}
          and host.id = c.host_id and host.on_two_pcs_at is not null and host.revoked_at is null
        returning host.name, host.driver, host.zone_id)
      select ${list} from revoked left join zone on zone.organization_id = ${organizationId} and zone.id = revoked.zone_id`,
  )
  return host
}

export const selectPublished = (db: Database, { organizationId, zoneId }: ZoneIds, hash: string) =>
  db
    .selectFrom('publication')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('zone_id', '=', zoneId)
    .where('content_hash', '=', hash)
    .limit(1)
    .executeTakeFirst()

/** SQL: whether the publication is for the reader. The caller has locked the reader's row, so it stays true. */
const isHere = sql`(d.zone_id = p.zone_id and d.device_type = p.device_type) is true`

const handedColumns = { id: text(sql`s.id`), at: orNull(instant(sql`o.at`)) }

/** Publications of the host's zone and their reapplications, with when this host was handed each first; null where it was not. */
export const selectHandedOut = (db: Database, { organizationId, zoneId, hostId }: Host, ids: readonly string[]) =>
  read(
    db,
    handedColumns,
    (list) => sql`
      select ${list} from (
        select p.id, p.id as publication_id
        from publication p where p.organization_id = ${organizationId} and p.id = any(${ids}::uuid[]) and p.zone_id = ${zoneId}
        union all
        select a.id, a.publication_id
        from reapplication a join publication p on p.organization_id = ${organizationId} and p.id = a.publication_id and p.zone_id = ${zoneId}
        where a.organization_id = ${organizationId} and a.id = any(${ids}::uuid[])
      ) s
      left join handed_out o on o.organization_id = ${organizationId} and o.publication_id = s.publication_id and o.host_id = ${hostId} and o.id = s.id`,
  )

/** What was handed out: a publication, or a reapplication of it (`id`). */
export interface Handed {
  id: string
  publication: string
}

/** Only the first time is kept. */
export const insertHandedOut = (db: Database, { organizationId, hostId }: Host, handed: readonly Handed[]) =>
  sql`
    insert into handed_out (organization_id, host_id, id, publication_id)
    select ${organizationId}, ${hostId}, r.* from unnest(${handed.map(({ id }) => id)}::uuid[], ${handed.map((one) => one.publication)}::uuid[]) as r
    on conflict do nothing`.execute(db)

/** An outcome with its instant by the server's clock. */
export type Dated = Omit<Outcome, 'at'> & { at: Date }

/**
 * SQL: what reader `d` ran before publication `p`, of its kind: what was kept when it changed, else what it reports; 0 where it had none.
 */
const previousContent = sql`coalesce(
  (select f.reported_id from previous_content f where f.organization_id = p.organization_id and f.publication_id = p.id and f.device_id = d.id),
  case when p.kind = 'firmware' then d.firmware_id else d.configuration_id end, 0)`

const isNew = boolean(sql`s.device_id is not null`)
const outcomeColumns = { publication: text(sql`t.publication_id`), serialNumber: text(sql`t.serial_number`), isNew }

/** SQL: the same failure was sent again. Its instant may differ, by how exactly the host PC's clock is known. */
const isSentAgain = sql`(excluded.outcome = 'failed' and excluded.reason is not distinct from o.reason
  and excluded.happened_at between o.happened_at - interval '1 minute' and o.happened_at + interval '1 minute')`

/**
 * Stores one outcome per publication and reader. An applied one stays; a failed one may become applied. Returns the stored ones whose
 * publication is of this zone and whose reader is at this host; `isNew`: this call made it applied.
 */
export function upsertOutcomes(db: Database, host: Host, outcomes: readonly Dated[]) {
  return read(
    db,
    outcomeColumns,
    (list) => sql`
      with reported as (
        select p.id as publication_id, d.id as device_id, r.serial_number, r.outcome, r.reason, r.code, r.at, ${isHere} as is_here, ${previousContent} as previous_id, ${readerPhaseNow} as phase
        from unnest(${outcomes.map((o) => o.publication)}::uuid[], ${outcomes.map((o) => o.serialNumber)}::text[], ${outcomes.map((o) => o.outcome)}::text[],
          ${outcomes.map((o) => o.reason)}::text[], ${outcomes.map((o) => o.code ?? null)}::text[], ${outcomes.map((o) => o.at)}::timestamptz[])
          as r (publication_id, serial_number, outcome, reason, code, at)
        join publication p on p.organization_id = ${host.organizationId} and p.id = r.publication_id and p.zone_id = ${host.zoneId}
        join device d on d.organization_id = ${host.organizationId} and d.serial_number = r.serial_number and d.host_id = ${host.hostId}
        where not p.for_readers or exists (
          select from publication_reader own where own.organization_id = p.organization_id and own.publication_id = p.id and own.device_id = d.id)
        order by d.serial_number for share of d
      ), stored as (
        insert into outcome as o (publication_id, device_id, organization_id, outcome, reason, code, happened_at, is_here, previous_id, phase)
        select publication_id, device_id, ${host.organizationId}, outcome, reason, code, at, is_here, previous_id, phase from reported order by publication_id, device_id
        on conflict (organization_id, publication_id, device_id) do update
          set outcome = excluded.outcome, reason = excluded.reason, code = excluded.code, happened_at = excluded.happened_at, reported_at = excluded.reported_at,
            retrying = o.retrying and excluded.outcome = 'failed'
          where o.outcome = 'failed' and not ${isSentAgain}
        returning publication_id, device_id, outcome
      ), remembered as (
        delete from previous_content f using reported
        where f.organization_id = ${host.organizationId} and f.publication_id = reported.publication_id and f.device_id = reported.device_id
      ), done as (
        delete from progress p using reported where p.organization_id = ${host.organizationId} and p.publication_id = reported.publication_id and p.device_id = reported.device_id
      )
      select ${list} from reported t left join stored s on s.publication_id = t.publication_id and s.device_id = t.device_id and s.outcome = 'applied'`,
  )
}

export const selectFirmware = (db: Database, organizationId: number, publications: readonly string[]) =>
  db
    .selectFrom('publication')
    .innerJoin('zone', (join) => join.on('zone.organization_id', '=', organizationId).onRef('zone.id', '=', 'publication.zone_id'))
    .select(['publication.id', 'device_type', 'version', 'file_name', 'content_hash', 'rollout_id', 'zone.name as zone_name'])
    // A rollout that is older than folded audit entries has none that could represent its readers.
    .select(
      boolean(sql`exists (
        select from audit_entry e where e.organization_id = ${organizationId} and e.rollout_id = publication.rollout_id and e.depth = 0)`).as(
        'has_entry',
      ),
    )
    .where('publication.organization_id', '=', organizationId)
    .where('content', '=', 'firmware')
    .where('publication.id', 'in', publications)
    .execute()

const reapplicationColumns = {
  publication: text(sql`t.id`),
  of: text(sql`t.publication_id`),
  serialNumber: text(sql`t.serial_number`),
  isNew,
}

/**
 * Stores outcomes whose `publication` is a reapplication's id. The first one counts; it also counts for the publication where that had
 * failed. Returns what `upsertOutcomes` does; `of` is the publication.
 */
export function updateReapplications(db: Database, host: Host, outcomes: readonly Dated[]) {
  return read(
    db,
    reapplicationColumns,
    (list) => sql`
      with reported as (
        select a.id, a.publication_id, a.device_id, r.serial_number, r.outcome, r.reason, r.code, r.at, ${isHere} as is_here, ${previousContent} as previous_id, ${readerPhaseNow} as phase
        from unnest(${outcomes.map((o) => o.publication)}::uuid[], ${outcomes.map((o) => o.serialNumber)}::text[], ${outcomes.map((o) => o.outcome)}::text[],
          ${outcomes.map((o) => o.reason)}::text[], ${outcomes.map((o) => o.code ?? null)}::text[], ${outcomes.map((o) => o.at)}::timestamptz[])
          as r (id, serial_number, outcome, reason, code, at)
        join reapplication a on a.organization_id = ${host.organizationId} and a.id = r.id
        join publication p on p.organization_id = ${host.organizationId} and p.id = a.publication_id and p.zone_id = ${host.zoneId}
        join device d on d.organization_id = ${host.organizationId} and d.id = a.device_id and d.serial_number = r.serial_number and d.host_id = ${host.hostId}
        order by d.serial_number for share of d
      ), stored as (
        update reapplication a set outcome = reported.outcome, reason = reported.reason, happened_at = reported.at
        from reported where a.organization_id = ${host.organizationId} and a.id = reported.id and a.outcome is null
        returning a.publication_id, a.device_id, a.outcome, a.reason, reported.code, a.happened_at, reported.is_here, reported.previous_id, reported.phase
      ), updated as (
        insert into outcome as o (publication_id, device_id, organization_id, outcome, reason, code, happened_at, is_here, previous_id, phase)
        select publication_id, device_id, ${host.organizationId}, outcome, reason, code, happened_at, is_here, previous_id, phase from stored order by publication_id, device_id
        on conflict (organization_id, publication_id, device_id) do update
          set outcome = excluded.outcome, reason = excluded.reason, code = excluded.code, happened_at = excluded.happened_at, reported_at = excluded.reported_at, retrying = false
          where o.outcome = 'failed'
        returning publication_id, device_id, outcome
      ), remembered as (
        delete from previous_content f using reported
        where f.organization_id = ${host.organizationId} and f.publication_id = reported.publication_id and f.device_id = reported.device_id
      ), done as (
        delete from progress p using reported where p.organization_id = ${host.organizationId} and p.publication_id = reported.publication_id and p.device_id = reported.device_id
      )
      select ${list} from reported t left join updated s on s.publication_id = t.publication_id and s.device_id = t.device_id and s.outcome = 'applied'`,
  )
}

/**
 * Stores a row per publication and reader, and one for the host PC's own download. A reapplication counts for its publication. Leaves out
 * unknown publications, readers of other hosts, and readers that are done.
 */
export const upsertProgress = (db: Database, host: ZoneIds & { hostId: number }, progress: readonly Progress[]) =>
  sql`
    insert into progress as p (publication_id, rollout_id, host_id, device_id, organization_id, percent)
    select p.id, p.rollout_id, ${host.hostId}, d.id, ${host.organizationId}, max(r.percent)
    from unnest(${progress.map((one) => one.publication)}::uuid[], ${progress.map((one) => one.serialNumber)}::text[],
      ${progress.map((one) => one.percent)}::int[]) as r (publication_id, serial_number, percent)
    left join reapplication a on a.organization_id = ${host.organizationId} and a.id = r.publication_id and a.outcome is null
    join publication p on p.organization_id = ${host.organizationId} and p.id = coalesce(a.publication_id, r.publication_id) and p.zone_id = ${host.zoneId}
    left join device d on d.organization_id = ${host.organizationId} and d.serial_number = r.serial_number and d.host_id = ${host.hostId}
    where (r.serial_number is null) = (d.id is null)
      and (a.id is not null or not exists (select from outcome o where o.organization_id = ${host.organizationId} and o.publication_id = p.id and o.device_id = d.id))
    group by p.id, p.rollout_id, d.id
    order by p.id, d.id
    on conflict (organization_id, publication_id, host_id, device_id) do update set percent = excluded.percent, reported_at = excluded.reported_at`.execute(
    db,
  )

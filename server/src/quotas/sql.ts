import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { integer, read } from '../lib/database/rows.ts'
import type { Host } from '../lib/http/caller.ts'

// Adds to what the host has spent in its interval, which began with the first spending. Returns the sum, and the seconds until the next
// interval.
export async function addSpending(db: Database, { organizationId, hostId }: Host, kind: string, amount: number, seconds: number) {
  const isOver = sql`s.since <= now() - make_interval(secs => ${seconds})`
  const [spent] = await read(
    db,
    { amount: integer(sql`amount`), left: integer(sql`ceil(extract(epoch from since) + ${seconds} - extract(epoch from now()))`) },
    (list) => sql`
      insert into host_spending as s (organization_id, host_id, kind, since, amount)
      values (${organizationId}, ${hostId}, ${kind}, now(), ${amount})
      on conflict (organization_id, host_id, kind) do update set
        since = case when ${isOver} then excluded.since else s.since end,
        amount = excluded.amount + case when ${isOver} then 0 else s.amount end
      returning ${list}`,
  )
  return spent!
}

// Returns the attempts of the window, this one included; undefined where this one is not allowed.
export async function upsertAttempt(db: Database, key: string, limit: number, windowSeconds: number): Promise<number | undefined> {
  const [row] = await read(
    db,
    { amount: integer(sql`idp_attempt.amount`) },
    (list) => sql`
    insert into idp_attempt (key, amount, ends_at) values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      amount = case when idp_attempt.ends_at <= now() then 1 else idp_attempt.amount + 1 end,
      ends_at = case when idp_attempt.ends_at <= now() then excluded.ends_at else idp_attempt.ends_at end
    where idp_attempt.ends_at <= now() or idp_attempt.amount < ${limit}
    returning ${list}`,
  )
  return row?.amount
}

// Seconds until the window ends, at least 1.
export async function selectWait(db: Database, key: string): Promise<number> {
  const [row] = await read(
    db,
    { wait: integer(sql`ceil(greatest(extract(epoch from ends_at - now()), 1))`) },
    (list) => sql`select ${list} from idp_attempt where key = ${key}`,
  )
  return row?.wait ?? 1
}

const count = { count: integer(sql`count(*)`) }

// Counts the readers that the host reports, and those that it reported last.
export const countReaders = async (db: Database, { organizationId, hostId }: Host): Promise<number> =>
  (
    await db
      .selectFrom('device')
      .select(count.count.as('count'))
      .where('organization_id', '=', organizationId)
      .where('host_id', '=', hostId)
      .executeTakeFirstOrThrow()
  ).count

// Makes transactions that add zones or host PCs count one after the other.
export const lockOrganization = (db: Database, organizationId: number) =>
  db.selectFrom('organization').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()

export async function countHosts(db: Database, organizationId: number): Promise<number> {
  const hosts = db.selectFrom('host').select(count.count.as('count')).where('organization_id', '=', organizationId)
  return (await hosts.where('revoked_at', 'is', null).executeTakeFirstOrThrow()).count
}

export async function countZones(db: Database, organizationId: number): Promise<number> {
  const zones = db.selectFrom('zone').select(count.count.as('count')).where('organization_id', '=', organizationId)
  return (await zones.executeTakeFirstOrThrow()).count
}

import type { RolloutListFilter } from '@lectern/contract/rollouts/rollout-filters.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { contentLabel, personName } from '../../lib/database/names.ts'
import { boolean, integer, read, text } from '../../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../../lib/database/zone-scope.ts'
import { containsPattern } from '../../lib/like.ts'
import { hasOtherZones, isHaltedByGate, isVisible, movedReaders, rolloutColumns, type SummedRow, sumColumns, withSums } from '../sql.ts'
import { sumsByRollout } from '../zones/zone-sums-sql.ts'

type Sql = RawBuilder<unknown>

// `ids`: only these rollouts, which were found by their state; absent: all.
export type ListFilter = Omit<RolloutListFilter, 'state'> & { ids?: readonly string[] | undefined }

// The states that are known from kept sums alone.
export type SettledState = 'complete' | 'replaced' | 'empty' | 'failed'

// SQL: whether rollout `s` is in the state. Says the same as `getSummedState` does of one rollout: change both together.
function isInState(scope: ZoneScope, state: SettledState): Sql {
  const isRolledBack = sql`s.rollout_id in (
    select b.rolls_back from rollout b where b.organization_id = ${scope.organizationId} and b.rolls_back is not null and ${isVisible(scope, 'b')})`
  const conditions: Record<SettledState, Sql> = {
    replaced: sql`waiting <= 0 and (replaced > 0 or settled = 0 and ended > 0 or settled > 0 and ${isRolledBack})`,
    complete: sql`waiting <= 0 and replaced = 0 and settled > 0 and not ${isRolledBack}`,
    empty: sql`waiting <= 0 and settled = 0 and ended = 0`,
    failed: sql`failed > 0`,
  }
  return conditions[state]
}

const keptSumsByRollout = (organizationId: number) => sql`
  select rollout_id, sum(parts) as parts, sum(readers) as readers, sum(applied) as applied, sum(failed) as failed, sum(replaced) as replaced,
    sum(settled) as settled, sum(ended) as ended, sum(halted) as halted
  from rollout_count where organization_id = ${organizationId} group by rollout_id`

// SQL: selects the sums of all rollouts. Kept sums are far fewer than publications.
const sumsOfAll = (scope: ZoneScope) => sql`
  select s.rollout_id, s.parts, s.applied, s.failed, s.replaced, s.settled, s.ended,
    s.readers + coalesce(m.readers, 0) - s.applied - s.failed - s.replaced as waiting, s.halted + coalesce(m.halted, 0) as halted
  from (${scope.zones === null ? keptSumsByRollout(scope.organizationId) : sumsByRollout(scope)}) s
  left join (${movedReaders(scope)}) m on m.rollout_id = s.rollout_id`

// SQL: the name of content `c`, as it is in the rollout's title.
const contentName = sql`case when c.content = 'firmware' then 'Firmware ' else '' end || ${contentLabel('c')}`

const rolloutContents = (organizationId: number): Sql => sql`rollout_content c where c.organization_id = ${organizationId}`

// SQL: from the contents `c` of rollout `r` in the scope's zones.
const contents = (scope: ZoneScope): Sql =>
  scope.zones === null
    ? sql`${rolloutContents(scope.organizationId)} and c.rollout_id = r.id`
    : sql`publication c where c.organization_id = ${scope.organizationId} and c.rollout_id = r.id and ${isInZones(scope, sql`c.zone_id`)}`

/**
 * SQL: whether rollout `r` has a word in its title, its name, or the words of its zones. The words of its zones count only where the scope
 * has all of them (decision 85).
 */
function hasWord(scope: ZoneScope, word: string): Sql {
  const { organizationId, zones } = scope
  const isIn = (text: Sql) => sql`lower(${text}) like lower(${containsPattern(word)})`
  // The kept contents of whole rollouts are small. They leave few rollouts, and only the parts of these are looked at.
  const isInWhole = sql`r.id in (
    select c.rollout_id from ${rolloutContents(organizationId)} and ${isIn(contentName)}
    union all
    select n.id from rollout n where n.organization_id = ${organizationId} and (${isIn(sql`n.name`)} or ${isIn(sql`n.zone_words`)}))`
  if (zones === null) return isInWhole
  return sql`${isInWhole} and (
    exists (select from ${contents(scope)} and ${isIn(contentName)})
    or ${isIn(sql`r.name`)} or ${isIn(sql`r.zone_words`)} and not ${hasOtherZones(scope)})`
}

// SQL: whether rollout `r` matches the filter.
function matching(scope: ZoneScope, { textFilter, kind, model, zone, person, from, to, ids }: ListFilter): Sql {
  const { organizationId } = scope
  const conditions = [sql`r.organization_id = ${organizationId}`, isVisible(scope, 'r')]
  for (const word of textFilter.split(/\s+/).filter((one) => one !== '')) conditions.push(hasWord(scope, word))
  if (kind !== undefined || model !== undefined) {
    const isKind = kind === undefined ? sql`true` : sql`(c.content = 'firmware') = ${kind === 'firmware'}`
    conditions.push(
      sql`exists (select from ${contents(scope)} and ${isKind} and ${model === undefined ? sql`true` : sql`c.device_type = ${model}`})`,
    )
  }
  if (zone !== undefined)
    conditions.push(sql`exists (
      select from publication p join zone z on z.organization_id = ${organizationId} and z.id = p.zone_id
      where p.organization_id = ${organizationId} and p.rollout_id = r.id and z.public_id = ${zone}
        and ${isInZones(scope, sql`p.zone_id`)})`)
  if (person !== undefined) conditions.push(sql`r.published_by = ${person}`)
  if (from !== undefined) conditions.push(sql`r.published_at >= ${from}::timestamptz`)
  if (to !== undefined) conditions.push(sql`r.published_at < ${to}::timestamptz`)
  if (ids) conditions.push(sql`r.id = any(${ids}::uuid[])`)
  return sql.join(conditions, sql` and `)
}

export const selectRollouts = (
  db: Database,
  scope: ZoneScope,
  filter: ListFilter,
  page: { offset: number; size: number },
): Promise<SummedRow[]> =>
  read(
    db,
    { ...rolloutColumns(scope), ...sumColumns(scope) },
    (list) => sql`
      select ${list} from ${withSums(
        scope,
        sql`
          select r.* from rollout r where ${matching(scope, filter)}
          order by r.published_at desc, r.id desc offset ${page.offset} limit ${page.size}`,
      )} order by r.published_at desc, r.id desc`,
  )

export async function countRollouts(db: Database, scope: ZoneScope, filter: ListFilter): Promise<number> {
  const [row] = await read(
    db,
    { count: integer(sql`count(*)`) },
    (list) => sql`select ${list} from rollout r where ${matching(scope, filter)}`,
  )
  return row?.count ?? 0
}

export async function selectSettled(db: Database, scope: ZoneScope, state: SettledState): Promise<string[]> {
  const rows = await read(
    db,
    { id: text(sql`rollout_id`) },
    (list) => sql`select ${list} from (${sumsOfAll(scope)}) s where ${isInState(scope, state)}`,
  )
  return rows.map(({ id }) => id)
}

// Rollouts with readers that wait.
export const selectUnderWay = (db: Database, scope: ZoneScope) =>
  read(
    db,
    {
      id: text(sql`rollout_id`),
      parts: integer(sql`parts`),
      waiting: integer(sql`waiting`),
      halted: integer(sql`halted`),
      halted_by_gate: boolean(isHaltedByGate(sql`${scope.organizationId}`, sql`s.rollout_id`)),
    },
    (list) => sql`select ${list} from (${sumsOfAll(scope)}) s where waiting > 0`,
  )

export const selectPublishers = (db: Database, scope: ZoneScope): Promise<{ id: string; name: string | null }[]> =>
  read(
    db,
    { id: text(sql`u.id`), name: personName('u') },
    (list) => sql`
      select ${list} from "user" u where u.id in (select r.published_by from rollout r where r.organization_id = ${scope.organizationId} and ${isVisible(scope, 'r')})
      order by lower(${personName('u')}), u.id`,
  )

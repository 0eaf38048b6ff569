import type { ReaderState } from '@lectern/contract/rollouts/rollouts.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isLike } from '../lib/database/names.ts'
import { readerPhase } from '../lib/database/reader-phase.ts'
import { bigints, integer, type RowOf, read, text } from '../lib/database/rows.ts'
import { isHostSilent, isReaderSilent } from '../lib/database/silent.ts'
import { isInZones } from '../lib/database/zone-scope.ts'
import { containsPattern, lettersOfTrigram } from '../lib/like.ts'
import { changedPlaces, countPresent, isForReader } from './present-sql.ts'
import { hasOutcome, type ReaderRow, readerColumns, silentReaders } from './readers-sql.ts'
import type { ScopedRollout } from './sql.ts'

export interface ReaderFilter {
  zone?: string | undefined
  model?: string | undefined
  state?: ReaderState | undefined
  phase?: number | undefined
  textFilter: string
}

interface Range {
  offset: number
  size: number
}

// `total`: of all pages. `hasMore`: there are more readers than `total`.
interface ReaderPage {
  rows: ReaderRow[]
  total: number
  hasMore: boolean
}

type Sql = RawBuilder<unknown>
type Filter = Omit<ReaderFilter, 'textFilter'> & { text: string }

const isSettled = (state: ReaderState | undefined): state is 'applied' | 'failed' => state === 'applied' || state === 'failed'

/**
 * Returns a page of a rollout's readers. They are in the order in which zones and models were published to; within one, in the order in
 * which they were first seen. Of a replaced publication, readers without an outcome are left out.
 */
export async function selectReaders(
  db: Database,
  rollout: ScopedRollout,
  { textFilter, ...rest }: ReaderFilter,
  page: Range,
): Promise<ReaderPage> {
  const filter = { ...rest, text: textFilter.trim() }
  const hasKeptCount = filter.text === '' && filter.phase === undefined && (filter.state === undefined || isSettled(filter.state))
  if (hasKeptCount) return readCountedPage(db, rollout, filter, page)
  return searchReaders(db, rollout, { filter, candidates: await selectCandidates(db, rollout, filter) }, page)
}

// SQL: whether publication `p` is of the rollout, in the scope, and of the filter's zone and model.
function isOfZoneAndModel({ organizationId, zones, id }: ScopedRollout, { zone, model }: Filter): Sql {
  const conditions = [sql`p.organization_id = ${organizationId} and p.rollout_id = ${id} and ${isInZones({ zones }, sql`p.zone_id`)}`]
  if (zone !== undefined)
    conditions.push(sql`p.zone_id = (select z.id from zone z where z.organization_id = ${organizationId} and z.public_id = ${zone})`)
  if (model !== undefined) conditions.push(sql`p.device_type = ${model}`)
  return sql.join(conditions, sql` and `)
}

// SQL: whether the reader's serial number contains the filter's text.
const isNamed = ({ text }: Filter, reader: 'd' | 'reader' = 'd'): Sql =>
  text === '' ? sql`true` : isLike(sql.ref(`${reader}.serial_number`), containsPattern(text))

/**
 * SQL: selects ids of the first readers of publication `p` that may have the filter's state. Its readers are those in its zone, and those
 * that left it with an outcome. A replaced publication has only readers with an outcome.
 */
function firstReaders(organizationId: number, filter: Filter, limit: Sql): Sql {
  const { state } = filter
  // Each list has a limit of its own, so that an index gives its order.
  const first = (readers: Sql) => sql`(${readers} order by id limit ${limit})`
  const withOutcome = (condition: Sql) =>
    first(sql`
      select o.device_id as id from outcome o
      ${filter.text === '' ? sql`` : sql`join device d on d.organization_id = ${organizationId} and d.id = o.device_id and ${isNamed(filter)}`}
      where o.organization_id = ${organizationId} and o.publication_id = p.id and ${condition}`)
  if (isSettled(state)) return withOutcome(sql`o.outcome = ${state} and not o.retrying`)
  const isHere = sql`d.zone_id = p.zone_id and d.device_type = p.device_type and p.replaced_at is null and ${isForReader} and ${isNamed(filter)}`
  const here = (condition: Sql) =>
    first(sql`select d.id from device d where d.organization_id = ${organizationId} and ${isHere} and ${condition}`)
  if (state === undefined)
    return sql`${here(sql`true`)}
      union all ${withOutcome(sql`p.replaced_at is null and (p.gone > 0 or p.returned_at is not null) and not o.is_here and o.outcome <> 'kept'`)}
      union all ${withOutcome(sql`p.replaced_at is not null and not o.retrying and o.outcome <> 'kept'`)}`
  if (state === 'silent') return silentReaders(organizationId, sql`${isHere} and not ${hasOutcome}`, sql`silent.zone_id = p.zone_id`)
  const downloads = sql`select g.device_id from progress g where g.organization_id = ${organizationId} and g.publication_id = p.id`
  return here(state === 'downloading' ? sql`not ${hasOutcome} and d.id in (${downloads})` : sql`not ${hasOutcome}`)
}

// SQL: selects reader `r` with its state for publication `p`. `phase`: given where the filter has one, so that `phase` is selected too.
const withState = (organizationId: number, phase?: number) => sql`
  select ${phase === undefined ? sql`` : sql`${readerPhase} as phase, `}p.number, p.id as publication_id, d.id, d.serial_number, d.device_type, d.simulated, p.zone_name, p.content, p.content_hash, p.file_name, p.version,
    coalesce(o.outcome, case when is_silent then 'silent' when g.percent is not null then 'downloading' else 'waiting' end) as state, g.percent, o.reason, o.code,
    case when o.outcome is not null then o.reported_at when is_silent then coalesce(d.last_seen_at, own.readers_seen_at) else g.reported_at end as at
  from (select r.id) r join device d on d.organization_id = ${organizationId} and d.id = r.id
  left join outcome o on o.organization_id = ${organizationId} and o.publication_id = p.id and o.device_id = r.id and not o.retrying
  left join host own on own.organization_id = ${organizationId} and own.id = d.host_id
  cross join lateral (select ${isReaderSilent(organizationId, 'd', 'own')} as is_silent) silence
  left join lateral (
    select g.percent, g.reported_at from progress g join host on host.organization_id = ${organizationId} and host.id = g.host_id and not ${isHostSilent(organizationId, 'host')}
    where g.organization_id = ${organizationId} and g.publication_id = p.id and g.device_id = d.id order by g.reported_at desc limit 1
  ) g on o.outcome is null`

const inOrder = (reader: 'reader' | 'found') => sql.join(['number', 'publication_id', 'id'].map((name) => sql.ref(`${reader}.${name}`)))

// `rollout_count` has sums for blocks of so many publications, by their numbers.
const publicationsPerBlock = sql.lit(32)

const sectionColumns = {
  publication: text(sql`id`),
  skip: integer(sql`greatest(page.low - before, 0)`),
  take: integer(sql`least(before + readers, page.high) - greatest(page.low, before)`),
  total: integer(sql`total`),
}
type Section = RowOf<typeof sectionColumns>

/**
 * Finds the publications whose readers are on the page. `skip`: how many of a publication's readers come before the page. `take`: how many
 * are on it. `total`: readers of all pages. It would be slow to read every publication for one page. Without a filter by zone, the kept sums
 * of blocks show in which blocks the page is, and only the publications of these are added up.
 */
function selectSections(db: Database, rollout: ScopedRollout, filter: Filter, { offset, size }: Range): Promise<Section[]> {
  const { organizationId, id } = rollout
  const { state, model, zone } = filter
  const countOfBlock = isSettled(state) ? sql.ref(state) : sql`readers - replaced`
  const countOfPublication = isSettled(state)
    ? sql.ref(`p.${state}`)
    : sql`case when p.replaced_at is null then present.total + p.gone else p.applied + p.failed end`
  const ofModel = model === undefined ? sql`` : sql`and device_type = ${model}`
  const moved = sql`
    union all
    select p.number / ${publicationsPerBlock}, c.total - p.present from (${changedPlaces(organizationId)}) change
    join publication p on p.organization_id = ${organizationId} and p.zone_id = change.zone_id and p.device_type = change.device_type
      and p.replaced_at is null and not p.for_readers and p.rollout_id = ${id}
    cross join lateral (${countPresent(organizationId)}) c where ${model === undefined ? sql`true` : sql`p.device_type = ${model}`}`
  const blocksOfPage = sql`
    block as (
      select block, sum(readers) as readers, sum(sum(readers)) over (order by block) - sum(readers) as before, sum(sum(readers)) over () as total from (
        select block, ${countOfBlock} as readers from rollout_count where organization_id = ${organizationId} and rollout_id = ${id} ${ofModel}
        ${isSettled(state) ? sql`` : moved}
      ) counted group by block
    ), near as (
      select block * ${publicationsPerBlock} as first, block * ${publicationsPerBlock} + ${publicationsPerBlock} - 1 as last, min(before) over () as before, total from block, page where readers > 0 and before < page.high and before + readers > page.low
    )`
  const everyBlock = sql`near as (select 0 as first, 2147483647 as last, 0 as before, null::int as total)`
  return read(
    db,
    sectionColumns,
    (list) => sql`
      with page as (select ${offset}::int as low, ${offset + size}::int as high), ${zone === undefined && rollout.zones === null ? blocksOfPage : everyBlock}, part as (
        select p.id, p.number, c.readers, near.before + sum(c.readers) over (order by p.number, p.id) - c.readers as before,
          coalesce(near.total, sum(c.readers) over ()) as total
        from near join publication p on ${isOfZoneAndModel(rollout, filter)} and p.number between near.first and near.last
        cross join lateral (${countPresent(organizationId)}) present cross join lateral (select ${countOfPublication} as readers) c
      ) select ${list} from part, page where readers > 0 and before < page.high and before + readers > page.low order by number, id`,
  )
}

// Reads a page of readers whose count is in the kept sums.
async function readCountedPage(db: Database, rollout: ScopedRollout, filter: Filter, page: Range): Promise<ReaderPage> {
  const { organizationId } = rollout
  const sections = await selectSections(db, rollout, filter, page)
  const [first] = sections
  if (!first) {
    if (page.offset === 0) return { rows: [], total: 0, hasMore: false }
    const [beginning] = await selectSections(db, rollout, filter, { offset: 0, size: 1 })
    return { rows: [], total: beginning?.total ?? 0, hasMore: false }
  }
  const of = (name: 'publication' | 'skip' | 'take') => sections.map((section) => section[name])
  const rows = await read(
    db,
    readerColumns('reader', 'reader', 'reader'),
    (list) => sql`
      select ${list} from unnest(${of('publication')}::uuid[], ${of('skip')}::int[], ${of('take')}::int[]) section (id, skip, take)
      join publication p on p.organization_id = ${organizationId} and p.id = section.id
      cross join lateral (select id from (${firstReaders(organizationId, filter, sql`section.skip + section.take`)}) r order by id offset section.skip limit section.take) r
      cross join lateral (${withState(organizationId)}) reader order by ${inOrder('reader')}`,
  )
  return { rows, total: first.total, hasMore: false }
}

// The most candidates that are looked at one by one.
const fewReaders = 200

// SQL: selects ids of readers that an index finds, among which are all readers of the search; null where no index does.
function candidatesIn({ organizationId, id }: ScopedRollout, filter: Filter): Sql | null {
  if (filter.text.length >= lettersOfTrigram)
    return sql`select d.id from device d where d.organization_id = ${organizationId} and ${isNamed(filter)}`
  if (filter.state === 'silent') return silentReaders(organizationId, sql`true`)
  if (filter.state === 'downloading')
    return sql`select device_id from progress where organization_id = ${organizationId} and rollout_id = ${id} and device_id is not null`
  return null
}

// Returns ids of readers among which are all readers of the search; null where no index finds them, or they are too many.
async function selectCandidates(db: Database, rollout: ScopedRollout, filter: Filter): Promise<number[] | null> {
  const candidates = candidatesIn(rollout, filter)
  if (!candidates) return null
  const [row] = await read(
    db,
    { ids: bigints(sql`ids`) },
    (list) => sql`select ${list} from (select array(${candidates} limit ${sql.lit(fewReaders + 1)}) as ids) found`,
  )
  return row && row.ids.length <= fewReaders ? row.ids : null
}

// SQL: selects which of the readers the rollout's publications are or were for, with the publication of each.
const publishedTo = (rollout: ScopedRollout, filter: Filter, ids: readonly number[]) => sql`
  select p.id as publication_id, d.id from device d join publication p on p.zone_id = d.zone_id and p.device_type = d.device_type and p.replaced_at is null
  where d.organization_id = ${rollout.organizationId} and d.id = any(${ids}::bigint[]) and ${isOfZoneAndModel(rollout, filter)} and ${isForReader}
  union
  select p.id, o.device_id from outcome o join publication p on p.id = o.publication_id
  where o.organization_id = ${rollout.organizationId} and o.device_id = any(${ids}::bigint[]) and not o.retrying and o.outcome <> 'kept' and ${isOfZoneAndModel(rollout, filter)}`

// SQL: whether publication `p` may have readers in the filter's state.
function mayHave(organizationId: number, { state }: Filter): Sql {
  if (state === undefined) return sql`true`
  if (isSettled(state)) return sql`${sql.ref(`p.${state}`)} > 0`
  return sql`p.replaced_at is null and (p.present + p.gone > p.applied + p.failed
    or (p.zone_id, p.device_type) in (select zone_id, device_type from present_change where organization_id = ${organizationId}))`
}

// Readers of a search are counted up to so many.
const mostCounted = 100

interface Search {
  filter: Filter
  candidates: readonly number[] | null
}

// Reads a page of readers whose count is not in the kept sums. With few candidates it looks at these, else at all readers in order, and
// stops at `most`.
async function searchReaders(
  db: Database,
  rollout: ScopedRollout,
  search: Search,
  page: Range,
  most = Math.max(mostCounted, page.offset + page.size),
): Promise<ReaderPage> {
  const { organizationId } = rollout
  const { filter, candidates } = search
  const hasState = filter.state === undefined ? sql`true` : sql`state = ${filter.state}`
  const isFound = filter.phase === undefined ? hasState : sql`${hasState} and reader.phase = ${filter.phase}`
  // Other states are computed later, row by row.
  const isDecided = filter.phase === undefined && (filter.state === undefined || isSettled(filter.state))
  // The outer limit has no order, as PostgreSQL might read everything to sort it. Publications come in order all the same, as readers are
  // looked up for each of them in turn.
  const limit = sql`limit ${sql.lit(most + 1)}`
  const found = candidates
    ? sql`
      select reader.* from (${publishedTo(rollout, filter, candidates)}) r join publication p on p.organization_id = ${organizationId} and p.id = r.publication_id
      cross join lateral (${withState(organizationId, filter.phase)}) reader where ${isFound} and ${isNamed(filter, 'reader')}`
    : sql`
      select reader.* from (
        select * from publication p where ${isOfZoneAndModel(rollout, filter)} and ${mayHave(organizationId, filter)} order by number, id offset 0
      ) p cross join lateral (
        select reader.* from (${firstReaders(organizationId, filter, isDecided ? sql.lit(most + 1) : sql`all`)}) r cross join lateral (${withState(organizationId, filter.phase)}) reader where ${isFound} order by r.id ${limit}
      ) reader ${limit}`
  const rows = await read(
    db,
    { ...readerColumns('found', 'found', 'found'), total: integer(sql`(select count(*) from found)`) },
    (list) =>
      sql`with found as materialized (${found}) select ${list} from found order by ${inOrder('found')} offset ${page.offset} limit ${page.size}`,
  )
  if (rows.length === 0 && page.offset > 0) return { ...(await searchReaders(db, rollout, search, { offset: 0, size: 1 }, most)), rows: [] }
  const total = rows[0]?.total ?? 0
  const hasMore = !candidates && total > most
  return { rows, total: hasMore ? most : total, hasMore }
}

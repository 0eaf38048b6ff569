import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { findStart, forgetPlaces, type Place, placeEvery, type Range, rememberPage, type Start } from '../lib/database/places.ts'
import { hashing, walking } from '../lib/database/planning.ts'
import { prepared } from '../lib/database/prepared.ts'
import { once, type RowOf, read } from '../lib/database/rows.ts'
import { Problem } from '../lib/http/problem.ts'
import { type Groups, groups } from './groups-sql.ts'
import { addNames, namedIds } from './names-sql.ts'
import { isShown, type List, orders, place, type Reading, type Shown, type Sql } from './order-sql.ts'
import { columns, type DeviceRow, joinNames, joinNamesOfPage, lookUpNames, ownColumns, rowColumns } from './sql.ts'
import { isWarrantyDue } from './standing-sql.ts'

interface Page extends Range {
  total: number
  unmarked: number
  /** Whether sorting the readers that are found costs less than passing over the others. */
  isFew: boolean
  /** The database whose connections keep the plan; null: each page is planned by itself. */
  keeper: Database | null
  /** How many readers the tile has without the search. */
  shownInAll: number
  /** Whether the organization is small enough to read all its readers for any page. */
  isSmall: boolean
  /** At most how many readers a search passes over; undefined: no bound. */
  walk?: number
  /** Whether all readers are read in the order in which they are stored. */
  isThrough?: boolean
}

const writeLimit = ({ limit }: Reading) => (limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`)
const writeDirection = ({ isDescending }: Reading) => (isDescending ? sql`desc` : sql`asc`)
const pageColumns = { ...columns, place }
const keptColumns = { ...ownColumns, ...namedIds, place }
type PageRow = RowOf<typeof pageColumns>

function writeOrder(reading: Reading): Sql {
  const direction = writeDirection(reading)
  const missing = orders[reading.column].nullable ? sql`(d.key is null) ${reading.isBackwards ? sql`desc` : sql`asc`}, ` : sql``
  return sql`${missing}d.key ${direction}, d.grp ${direction}, d.id ${direction}`
}

/** A page of a search that is further in than the bound of work allows, where many readers are found (FAI-06). */
const tooDeep = () =>
  new Problem(
    422,
    'This page is too far into what the search finds. Narrow the search: enter three or more characters of a serial number, or the whole name of a zone or host PC. Or go there page by page.',
  )

/**
 * Reads a page; readers without a value come last in both directions. It uses indexes of exactly the tile's readers in the order of the
 * sort. It begins where the page before ended, at another known place, at the beginning, or at the end where that is nearer. Throws a
 * Problem 422.
 */
export async function selectPage(db: Database, list: List, page: Page): Promise<DeviceRow[]> {
  const most = Math.min(page.size, page.total - page.offset)
  const isSearch = list.shown.words.length > 0
  const start = await findStart(db, {
    list: list.name,
    offset: page.offset,
    isMoving: orders[list.sort.ColumnName].isMoving === true,
    // Known places in a search are not looked for: that would find all its readers.
    isFarFromEnd: !isSearch && page.total - page.offset - page.size >= placeEvery,
    readPlaces: () => selectPlaces(db, list, page),
  })
  if (isSearch && !page.isFew) return rememberPage(db, list.name, page, await searchPage(db, list, page, start))
  const rows = await readPage(db, list, page, start)
  if (!start?.place || rows.length >= most || page.total === Number.POSITIVE_INFINITY) return rememberPage(db, list.name, page, rows)
  // Readers behind the known place are gone, so the place is wrong.
  forgetPlaces(db, list.name, page.offset)
  const { seen } = start
  return rememberPage(db, list.name, page, await readPage(db, list, page, { offset: seen.length, seen }))
}

// How many readers a search passes over in the order of the sort, where each may be on another page of the table: for a first page or one
// that follows another (SPD-03 allows 5,000 buffers), and for one further in (20,000).
const walked = [100, 700, 2_000]
const walkedFarIn = [...walked, 10_000]

/**
 * Reads the list in its order until the page is full, within the bound. Where few readers are found so far, it reads all of them once in
 * the order in which they are stored: another order would load another page of the table for each reader.
 */
async function searchPage(db: Database, list: List, page: Page, start: Start | undefined): Promise<PageRow[]> {
  const isFarIn = page.offset > 0 && !start?.place
  const most = Math.min(page.size, page.total - page.offset)
  const before = start?.place ? 0 : Math.min(page.offset, Math.max(0, page.total - page.offset - page.size))
  for (const walk of isFarIn ? walkedFarIn : walked) {
    if (walk < before + page.size) continue
    const rows = await readPage(db, list, { ...page, walk }, start)
    if (rows.length >= most || walk >= page.shownInAll) return rows
  }
  if (isFarIn && !page.isSmall) throw tooDeep()
  return readPage(db, list, { ...page, isFew: true, isThrough: true }, start)
}

async function readPage(db: Database, { shown, sort }: List, page: Page, start: Start | undefined): Promise<PageRow[]> {
  const size = start?.place ? page.size : Math.min(page.size, page.total - page.offset)
  if (size <= 0) return []
  const fromBeginning = page.offset - (start?.offset ?? 0)
  const fromEnd = page.total - page.offset - size
  const isBackwards = !start?.place && fromEnd < fromBeginning
  const skip = isBackwards ? fromEnd : fromBeginning
  const { walk } = page
  const reading: Reading = {
    shown,
    start,
    isBackwards,
    column: sort.ColumnName,
    limit: skip + size,
    isKept: page.keeper !== null,
    isDescending: (sort.Direction === 'Descending') !== isBackwards,
    // Readers before the page are read from an index alone; a row is read only for those on the page.
    picked: skip === 0 || walk !== undefined ? rowColumns : sql`d.id`,
  }
  const order = writeOrder(reading)
  const isWhole = skip === 0 || walk !== undefined
  const all =
    walk === undefined
      ? readList(reading, page)
      : readWalked(readList({ ...reading, shown: { ...shown, words: [] }, limit: walk }, page), order, walk, shown.words)
  const found = sql`${all} order by ${order} limit ${sql.lit(size)} offset ${sql.lit(skip)}`
  const { organizationId } = shown
  const whole = isWhole
    ? found
    : sql`select ${rowColumns}, found.key, found.grp from (${found}) found join device d on d.organization_id = ${organizationId} and d.id = found.id`
  const write = (list: Sql, names: Sql) => sql`
      with page as materialized (${whole})
      select ${list} from page d ${names} order by ${order}`
  const rows = page.keeper
    ? await addNames(
        db,
        organizationId,
        await read(
          page.keeper,
          keptColumns,
          (list) => sql`${write(list, joinNamesOfPage(organizationId, sql`page`, ['host']))} ${prepared}`,
        ),
      )
    : await read(db, pageColumns, (list) => sql`${write(list, joinNamesOfPage(organizationId, sql`page`))} ${chooseWay(reading, page)}`)
  return isBackwards ? rows.reverse() : rows
}

// SQL: so many readers of a list in its order, and of these the ones that have the words.
const readWalked = (all: Sql, order: Sql, walk: number, words: readonly RawBuilder<boolean>[]): Sql =>
  sql`select * from (${all} order by ${order} limit ${sql.lit(walk)}) d where ${sql.join(words, sql` and `)}`

async function selectPlaces(db: Database, { shown, sort }: List, page: Page): Promise<Place[]> {
  const all = { start: undefined, isBackwards: false, limit: undefined, isKept: false, picked: sql`d.id` }
  const reading: Reading = { ...all, shown, column: sort.ColumnName, isDescending: sort.Direction === 'Descending' }
  const rows = await read(
    db,
    { place },
    (list) => sql`
      select ${list} from (
        select d.*, row_number() over (order by ${writeOrder(reading)}) as number from (${readList(reading, page)}) d
      ) d where number % ${sql.lit(placeEvery)} = 0 order by number`,
  )
  return rows.map((row) => row.place)
}

// Up to so many readers of a tile are read at once and sorted: read by host or zone, each of those would be asked for too few.
const fewInGroups = 300

/** Whether readers are read in their order until there are enough; else all are sorted. */
function isWalked({ shown, column }: Reading, { total, isFew }: Pick<Page, 'total' | 'isFew'>): boolean {
  const isSparse = shown.metric !== undefined && total <= fewInGroups && groups[column] !== undefined
  return !isFew && !isSparse
}

const chooseWay = (reading: Reading, page: Page) => {
  if (page.isThrough) return hashing
  return isWalked(reading, page) ? walking : sql``
}

function readList(
  reading: Reading,
  { total, unmarked, isFew, isThrough = false }: Pick<Page, 'total' | 'unmarked' | 'isFew' | 'isThrough'>,
): Sql {
  const { shown } = reading
  const stored = sql`(select * from device where organization_id = ${shown.organizationId} order by organization_id, id offset 0) d`
  const marked = isWalked(reading, { total, isFew })
    ? readInOrder({ ...reading, shown: asFilter(shown) })
    : readAll(reading, isThrough ? stored : sql`device d`, isShown(shown, ...isAfterAny(reading)))
  return sql`select * from (${sql.join([marked, ...readUnmarked(reading, unmarked)], sql` union all `)}) d`
}

function readAll({ shown, picked, column, isKept }: Reading, from: Sql, condition: Sql): Sql {
  const { key, grp, names } = orders[column]
  const joined = isKept ? lookUpNames(shown.organizationId, names) : joinNames(shown.organizationId)
  // Sorts all of them. `offset 0` keeps PostgreSQL from searching another index, in whose order these may all come last.
  return sql`(select ${picked}, ${key} as key, ${grp} as grp from ${from} ${joined} where ${condition} offset 0)`
}

// Wraps conditions so that no index serves them: a list that is read in its order must not be searched by another index, which would find
// all matches.
const asFilter = (shown: Shown): Shown => {
  const filter = (condition: RawBuilder<boolean>) => sql<boolean>`(${condition}) is true`
  return { ...shown, conditions: shown.conditions.map(filter), words: shown.words.map(filter) }
}

function readInOrder(reading: Reading): Sql {
  const { column, isBackwards } = reading
  const { key, nullable } = orders[column]
  const grouped = groups[column]
  if (column === 'LastSeen' && grouped) return readSeen(reading, grouped)
  if (!nullable) return readIndex(reading, key, [])
  const present = grouped ? readGroups(reading, grouped) : readIndex(reading, key, [sql`${key} is not null`])
  const missing = readMissing(reading, grouped?.reference ?? key)
  return isBackwards ? readInTurn(reading, missing, present) : readInTurn(reading, present, missing)
}

// SQL: `second` is read only where `first` does not fill the page.
function readInTurn({ limit }: Reading, first: Sql, second: Sql): Sql {
  if (limit === undefined) return sql`${first} union all ${second}`
  return sql`(with first as materialized ${first}
    select * from first union all select * from ${second} second where (select count(*) from first) < ${sql.lit(limit)})`
}

// Readers with a time of their own were seen before their hosts' time, so what comes first in the order likely fills a first page. Of the
// rest no more is read than comes before the last of that.
function readSeen(reading: Reading, hosts: Groups): Sql {
  const { limit, isDescending, start } = reading
  const readHosts = (...more: RawBuilder<boolean>[]) => readGroups(reading, hosts, ...more)
  const readOwn = (...more: RawBuilder<boolean>[]) => readIndex(reading, sql`d.last_seen_at`, [sql`d.last_seen_at is not null`, ...more])
  if (limit === undefined) return sql`${readOwn()} union all ${readHosts()}`
  const last = sql`select ${isDescending ? sql`min(key)` : sql`max(key)`} from first having count(*) = ${sql.lit(limit)}`
  const end = isDescending ? sql`>= ${once(sql`coalesce((${last}), '-infinity')`)}` : sql`<= ${once(sql`coalesce((${last}), 'infinity')`)}`
  const areHostsFirst = isDescending || start?.place
  const [first, second] = areHostsFirst
    ? [readHosts(), readOwn(sql`d.last_seen_at ${end}`)]
    : [readOwn(), readHosts(sql`${hosts.key} ${end}`)]
  return sql`(with first as materialized ${first} select * from first union all select * from ${second} second)`
}

const beyond = ({ isDescending }: Reading) => (isDescending ? sql`<` : sql`>`)
const castKey = ({ column }: Reading, { key }: Place) => sql`${key}::${sql.raw(orders[column].type)}`
const isNew = ({ seen }: Start): RawBuilder<boolean>[] => (seen.length === 0 ? [] : [sql`d.id <> all(${seen}::bigint[])`])

function isAfterAny(reading: Reading): RawBuilder<boolean>[] {
  const { key, grp } = orders[reading.column]
  const { start } = reading
  if (!start) return []
  const { place } = start
  if (!place) return isNew(start)
  const inGroup = sql`(${grp}, d.id) ${beyond(reading)} (${place.grp}::int, ${place.id}::bigint)`
  if (place.key === null) return [sql`${key} is null and ${inGroup}`, ...isNew(start)]
  const there = castKey(reading, place)
  return [sql`(${key} is null or ${key} ${beyond(reading)} ${there} or (${key} = ${there} and ${inGroup}))`, ...isNew(start)]
}

/** For readers whose `grp` is 0 and whose key is not null: an index of key and id begins right there. */
function isAfter(reading: Reading, key: Sql): RawBuilder<boolean>[] {
  const { start, isDescending } = reading
  if (!start) return []
  const { place } = start
  if (!place) return isNew(start)
  if (place.key === null) return [sql`false`]
  const there = castKey(reading, place)
  if (place.grp === 0) return [sql`(${key}, d.id) ${beyond(reading)} (${there}, ${place.id}::bigint)`, ...isNew(start)]
  return [isDescending ? sql`${key} <= ${there}` : sql`${key} > ${there}`, ...isNew(start)]
}

function readIndex(reading: Reading, key: Sql, more: RawBuilder<boolean>[]): Sql {
  const { shown, picked, column } = reading
  const direction = writeDirection(reading)
  // To sort by id too, PostgreSQL would read one reader more, to see that its key is another.
  const thenId = orders[column].isUnique ? sql`` : sql`, d.id ${direction}`
  return sql`(select ${picked}, ${key} as key, 0 as grp from device d where ${isShown(shown, ...more, ...isAfter(reading, key))}
    order by ${key} ${direction}${thenId} ${writeLimit(reading)})`
}

function readMissing(reading: Reading, column: Sql): Sql {
  const { shown, picked, start } = reading
  const direction = writeDirection(reading)
  const after: RawBuilder<boolean>[] =
    start?.place?.key === null ? [sql`d.id ${beyond(reading)} ${start.place.id}::bigint`, ...isNew(start)] : start ? isNew(start) : []
  const none = sql`null::${sql.raw(orders[reading.column].type)}`
  return sql`(select ${picked}, ${none} as key, 0 as grp from device d where ${isShown(shown, sql`${column} is null`, ...after)}
    order by ${column} ${direction}, d.id ${direction} ${writeLimit(reading)})`
}

function readGroups(reading: Reading, groups: Groups, ...more: RawBuilder<boolean>[]): Sql {
  const { table, key, reference, isUnique = false, mayHave, ofMember } = groups
  const { shown, picked, start } = reading
  const direction = writeDirection(reading)
  const ofOrganization = sql<boolean>`organization_id = ${shown.organizationId}`
  const asked = sql.join([ofOrganization, sql`${key} is not null`, ...(mayHave?.(reading) ?? []), ...more], sql` and `)
  const after = start ? isGroupAfter(reading, start, isUnique) : { ofGroup: sql``, ofMember: [] }
  const thenGroup = (group: Sql) => (isUnique ? sql`` : sql`${group} ${direction}, `)
  return sql`(select member.*, g.key, ${isUnique ? sql`0` : sql`g.id`} as grp from (
      select * from (select id, ${key} as key from ${table} where ${asked}) g
      ${after.ofGroup} order by ${isUnique ? sql`key ${direction}` : sql`key ${direction}, id ${direction}`}
    ) g cross join lateral (
      select ${picked} from device d where ${isShown(shown, sql`${reference} = g.id`, ...(ofMember?.(reading) ?? []), ...after.ofMember)} order by d.id ${direction} ${writeLimit(reading)}
    ) member order by g.key ${direction}, ${thenGroup(sql`g.id`)}member.id ${direction} ${writeLimit(reading)})`
}

function isGroupAfter(reading: Reading, start: Start, isUnique: boolean): { ofGroup: Sql; ofMember: RawBuilder<boolean>[] } {
  const { place } = start
  if (!place) return { ofGroup: sql``, ofMember: isNew(start) }
  if (place.key === null) return { ofGroup: sql`where false`, ofMember: [] }
  const there = isUnique ? castKey(reading, place) : sql`(${castKey(reading, place)}, ${place.grp}::int)`
  const here = (prefix: string) => (isUnique ? sql.ref(`${prefix}key`) : sql`(${sql.ref(`${prefix}key`)}, ${sql.ref(`${prefix}id`)})`)
  const none = reading.isDescending ? sql`9223372036854775807` : sql`0`
  return {
    ofGroup: sql`where ${here('')} ${beyond(reading)}= ${there}`,
    ofMember: [sql`d.id ${beyond(reading)} case when ${here('g.')} = ${there} then ${place.id}::bigint else ${none} end`, ...isNew(start)],
  }
}

function readUnmarked(reading: Reading, unmarked: number): Sql[] {
  if (unmarked === 0) return []
  const { organizationId, metric } = reading.shown
  const readThose = (from: Sql, condition: RawBuilder<boolean>) =>
    readAll(reading, from, isShown({ ...reading.shown, metric: undefined }, condition, ...isAfterAny(reading)))
  if (metric === 'offline')
    return [
      readThose(sql`device d`, sql`d.last_seen_at is not null and not d.offline and ${isOffline(sql`d.last_seen_at`)}`),
      readThose(
        sql`host late join device d on d.organization_id = ${organizationId} and d.host_id = late.id`,
        sql`late.organization_id = ${organizationId} and not late.readers_offline and ${isOffline(sql`late.readers_seen_at`)}
          and d.last_seen_at is null and not d.offline`,
      ),
    ]
  if (metric === 'warranty_due') return [readThose(sql`device d`, sql`not d.warranty_due and ${isWarrantyDue(sql`d.warranty_until`)}`)]
  return []
}

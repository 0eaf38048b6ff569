import { LRUCache } from 'lru-cache'
import type { Database } from './database.ts'
import { findOrigin } from './organization.ts'

/** Where a row is in a list. `key`: the value that the list is ordered by, as PostgreSQL writes it; null where the row has none. */
export interface Place {
  key: string | null
  grp: number
  id: string
}

/**
 * Where a page begins: behind `place`, where that is known, and behind the rows `seen` on the page before, which come before row number
 * `offset`.
 */
export interface Start {
  offset: number
  place?: Place
  seen: readonly string[]
}

export interface Range {
  offset: number
  size: number
}

/** Once a user has asked for a page further in, the places of every so many rows are known. */
export const placeEvery = 200

// `text`: all that decides which rows the list has, and their order.
export interface ListName {
  organizationId: number
  text: string
}

interface Places {
  everyPlace: LRUCache<string, Promise<readonly Place[]>>
  endsOfPages: LRUCache<string, Start>
}

const keptMs = 60_000
// By organization, so that its searches first push out its own places.
const known = new WeakMap<Database, LRUCache<number, Places>>()

function findPlaces(db: Database, { organizationId }: ListName): Places {
  const origin = findOrigin(db)
  const ofAll = known.get(origin) ?? new LRUCache<number, Places>({ max: 500 })
  known.set(origin, ofAll)
  const places = ofAll.get(organizationId) ?? {
    everyPlace: new LRUCache<string, Promise<readonly Place[]>>({ max: 20, ttl: keptMs }),
    endsOfPages: new LRUCache<string, Start>({ max: 400, ttl: keptMs }),
  }
  ofAll.set(organizationId, places)
  return places
}

/** Remembers where a page ended. The next one then begins there, whatever comes or goes before it. */
export function rememberPage<Row extends { place: Place }>(db: Database, list: ListName, { offset, size }: Range, rows: Row[]): Row[] {
  const last = rows.at(-1)
  const next = offset + size
  if (last)
    findPlaces(db, list).endsOfPages.set(`${next} ${list.text}`, {
      offset: next,
      place: last.place,
      seen: rows.map(({ place }) => place.id),
    })
  return rows
}

export function forgetPlaces(db: Database, list: ListName, offset: number): void {
  const { endsOfPages, everyPlace } = findPlaces(db, list)
  endsOfPages.delete(`${offset} ${list.text}`)
  everyPlace.delete(list.text)
}

interface Search {
  list: ListName
  offset: number
  /** Rows of the list move, so a page follows the one before by number, without that page's rows. */
  isMoving: boolean
  isFarFromEnd: boolean
  readPlaces(): Promise<readonly Place[]>
}

/** Returns where to begin for the row number `offset`; undefined where that is the beginning, or the end. */
export async function findStart(db: Database, { list, offset, isMoving, isFarFromEnd, readPlaces }: Search): Promise<Start | undefined> {
  const { endsOfPages, everyPlace } = findPlaces(db, list)
  const before = endsOfPages.get(`${offset} ${list.text}`)
  const seen = before?.seen ?? []
  const page = before && isMoving ? { offset: seen.length, seen } : before
  const from = offset - seen.length
  if (page?.place || from < placeEvery || !isFarFromEnd) return page
  const reading = everyPlace.get(list.text) ?? readPlaces()
  everyPlace.set(list.text, reading, { noUpdateTTL: true })
  try {
    const places = await reading
    const number = Math.min(Math.floor(from / placeEvery), places.length)
    return number === 0 ? page : { offset: number * placeEvery + seen.length, place: places[number - 1]!, seen }
  } catch (error) {
    everyPlace.delete(list.text)
    throw error
  }
}

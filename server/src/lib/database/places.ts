import { LRUCache } from 'lru-cache'
import type { Database } from './database.ts'
import { findOrigin } from './organization.ts'

/** What a list is ordered by, of one of its rows; `key` as PostgreSQL writes it, null where that has no value. */
export interface Place {
  key: string | null
  grp: number
  id: string
}

/** What comes before the row number `offset` of a list: all up to `place`, where it is known, and those `seen` on the page before. */
export interface Start {
  offset: number
  place?: Place
  seen: readonly string[]
}

export interface Range {
  offset: number
  size: number
}

/** Every so many rows of a list a place is known once a user has asked for a page further in. */
export const placeEvery = 1_000

interface Places {
  everyPlace: LRUCache<string, Promise<readonly Place[]>>
  endsOfPages: LRUCache<string, Start>
}

const keptMs = 60_000
const known = new WeakMap<Database, Places>()

function findPlaces(db: Database): Places {
  const origin = findOrigin(db)
  const places = known.get(origin) ?? {
    everyPlace: new LRUCache<string, Promise<readonly Place[]>>({ max: 100, ttl: keptMs }),
    endsOfPages: new LRUCache<string, Start>({ max: 2_000, ttl: keptMs }),
  }
  known.set(origin, places)
  return places
}

/** Where a page ended, so that the next one begins there, whatever comes and goes before it. */
export function rememberPage<Row extends { place: Place }>(db: Database, list: string, { offset, size }: Range, rows: Row[]): Row[] {
  const last = rows.at(-1)
  const next = offset + size
  if (last) findPlaces(db).endsOfPages.set(`${next} ${list}`, { offset: next, place: last.place, seen: rows.map(({ place }) => place.id) })
  return rows
}

export function forgetPlaces(db: Database, list: string, offset: number): void {
  const { endsOfPages, everyPlace } = findPlaces(db)
  endsOfPages.delete(`${offset} ${list}`)
  everyPlace.delete(list)
}

interface Search {
  list: string
  offset: number
  /** Then a page follows the one before by number, without its rows, as these have moved. */
  isMoving: boolean
  isFarFromEnd: boolean
  readPlaces(): Promise<readonly Place[]>
}

/** Where to begin for the row number `offset`; undefined where that is the beginning, or the end. */
export async function findStart(db: Database, { list, offset, isMoving, isFarFromEnd, readPlaces }: Search): Promise<Start | undefined> {
  const { endsOfPages, everyPlace } = findPlaces(db)
  const before = endsOfPages.get(`${offset} ${list}`)
  const seen = before?.seen ?? []
  const page = before && isMoving ? { offset: seen.length, seen } : before
  const from = offset - seen.length
  if (page?.place || from < placeEvery || !isFarFromEnd) return page
  const reading = everyPlace.get(list) ?? readPlaces()
  everyPlace.set(list, reading, { noUpdateTTL: true })
  try {
    const places = await reading
    const number = Math.min(Math.floor(from / placeEvery), places.length)
    return number === 0 ? page : { offset: number * placeEvery + seen.length, place: places[number - 1]!, seen }
  } catch (error) {
    everyPlace.delete(list)
    throw error
  }
}

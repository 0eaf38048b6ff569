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
export const placeEvery = 200

// `text` has all that it is searched and sorted by.
export interface ListName {
  organizationId: number
  text: string
}

interface Places {
  everyPlace: LRUCache<string, Promise<readonly Place[]>>
  endsOfPages: LRUCache<string, Start>
}

const keptMs = 60_000
// Searches of an organization let go of its own places first.
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

/** Where a page ended, so that the next one begins there, whatever comes and goes before it. */
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
  /** Then a page follows the one before by number, without its rows, as these have moved. */
  isMoving: boolean
  isFarFromEnd: boolean
  readPlaces(): Promise<readonly Place[]>
}

/** Where to begin for the row number `offset`; undefined where that is the beginning, or the end. */
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

import { LRUCache } from 'lru-cache'
import type { Database } from '../lib/database/database.ts'

/** What a list is ordered by, of one of its readers; `key` as PostgreSQL writes it, null where that has no value. */
export interface Place {
  key: string | null
  grp: number
  id: string
}

/** Where the reader number `offset` of a list comes next: after `place`, and none of those that were on the page before. */
export interface Start {
  offset: number
  place: Place
  seen: readonly string[]
}

/** Every so many readers of a list a place is known once somebody has asked for a page further in. */
export const placeEvery = 1_000

interface Places {
  /** Of readers number `placeEvery`, 2 × `placeEvery` and so on, by list. */
  ofList: LRUCache<string, Promise<readonly Place[]>>
  /** Where pages that were shown ended, by list and the offset of what follows. */
  ofPages: LRUCache<string, Start>
}

const keptMs = 60_000
const known = new WeakMap<Database, Places>()

function placesOf(db: Database): Places {
  const places = known.get(db) ?? {
    ofList: new LRUCache<string, Promise<readonly Place[]>>({ max: 100, ttl: keptMs }),
    ofPages: new LRUCache<string, Start>({ max: 5_000, ttl: keptMs }),
  }
  known.set(db, places)
  return places
}

/** Remembers where a page ended, so that the next one begins there, whatever comes and goes before it. */
export function rememberPage(db: Database, list: string, { offset, place, seen }: Start): void {
  placesOf(db).ofPages.set(`${offset} ${list}`, { offset, place, seen })
}

interface Search {
  list: string
  offset: number
  /** Whether the list's end is too far away as well. */
  isFarFromEnd: boolean
  readPlaces(): Promise<readonly Place[]>
}

/** Where to begin for the reader number `offset`; undefined where that is the beginning, or the end. */
export async function findStart(db: Database, { list, offset, isFarFromEnd, readPlaces }: Search): Promise<Start | undefined> {
  const { ofPages, ofList } = placesOf(db)
  const page = ofPages.get(`${offset} ${list}`)
  if (page || offset < placeEvery || !isFarFromEnd) return page
  const reading = ofList.get(list) ?? readPlaces()
  ofList.set(list, reading, { noUpdateTTL: true })
  try {
    const places = await reading
    const number = Math.min(Math.floor(offset / placeEvery), places.length)
    return number === 0 ? undefined : { offset: number * placeEvery, place: places[number - 1]!, seen: [] }
  } catch (error) {
    ofList.delete(list)
    throw error
  }
}

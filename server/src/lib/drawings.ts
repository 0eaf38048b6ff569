import { createHash } from 'node:crypto'
import type { GoCode } from '@lectern/contract/gocode.ts'
import { LRUCache } from 'lru-cache'
import type { Brand } from './brands.ts'
import { createWorkerPool } from './worker-pool.ts'

/** A file that depends on nothing but this. `codes`: null for every setting of the product. */
export type Drawing =
  | { kind: 'settings'; product: number; codes: readonly string[] | null; brand: Brand; paper: 'a4' | 'letter' }
  | { kind: 'leaflet'; file: string; author: string }
  | { kind: 'code'; goCode: GoCode; author: string }

/** What the drawing thread is started with. */
export interface DrawingThreadData {
  catalogueFile: string | null
}

/**
 * Draws files that take a processor for long, in a thread of its own, so that the thread that serves calls does not. Keeps what was drawn.
 */
export interface Drawings {
  /**
   * @param payer whose turn it takes: jobs of one payer are drawn one after the other
   * @throws Problem 429 where too many jobs of the payer wait, 503 where the thread ended
   */
  draw(payer: string, drawing: Drawing): Promise<Uint8Array>
  close(): Promise<void>
}

/** The most that is kept of drawings with settings chosen by callers. */
const mostKeptBytes = 64 * 1024 * 1024
// The lane is half of what a caller may send at once.
const waiting = { lane: 20, all: 400 }
// A guide with every setting takes a hundredth of it.
const limitMs = 60_000

export function createDrawings(file: URL, data: DrawingThreadData, onDeath: (error: Error) => void): Drawings {
  const pool = createWorkerPool<Drawing, Uint8Array>({
    file,
    workerData: data,
    // The other processors serve calls and run the database.
    threads: 1,
    waiting,
    limitMs,
    onDeath,
    sentences: {
      full: 'Too many documents are drawn at once. Try again in a moment.',
      failed: 'The document could not be drawn. Try again in a moment.',
    },
  })
  // No bound is needed: there is one per product, brand and paper.
  const fixed = new Map<string, Uint8Array>()
  const chosen = new LRUCache<string, Uint8Array>({ maxSize: mostKeptBytes, sizeCalculation: ({ byteLength }) => byteLength })
  const underWay = new Map<string, Promise<Uint8Array>>()
  return {
    draw(payer, drawing) {
      const key = createHash('sha256').update(JSON.stringify(drawing)).digest('base64')
      const kept = isFixed(drawing) ? fixed : chosen
      const known = kept.get(key)
      if (known) return Promise.resolve(known)
      const drawn =
        underWay.get(key) ??
        pool
          // Others may wait for the same drawing, so it goes on when the first caller leaves.
          .run(payer, async () => drawing, new AbortController().signal)
          .then((bytes) => {
            kept.set(key, bytes)
            return bytes
          })
          .finally(() => underWay.delete(key))
      underWay.set(key, drawn)
      return drawn
    },
    close: pool.close,
  }
}

const isFixed = (drawing: Drawing): boolean => drawing.kind === 'leaflet' || (drawing.kind === 'settings' && drawing.codes === null)

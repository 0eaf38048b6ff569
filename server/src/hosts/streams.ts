import { randomUUID } from 'node:crypto'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import type { RefusedReports } from '../lib/http/gate.ts'
import { closeStreamsOfGone, closeStreamsOfStopped, updateStreams, upsertBeat, upsertOutages } from './streams-sql.ts'

/** The streams of one host, which may have several open. */
interface Stream {
  host: Host
  open: number
  /** Milliseconds of `performance.now()`; null while one is open. */
  closedAt: number | null
  /** The database has an earlier state of it. */
  isKnown: boolean
  /** The database has its present state. */
  isWritten: boolean
}

/**
 * Keeps in the database what shows whether host PCs are silent (RIT-05, decision 81), beside their check-ins: whose event stream is open at
 * which server, which servers are alive, and when the portal took no check-ins. Empties `refused`.
 */
export function createHostStreams(db: Database, refused: RefusedReports) {
  const server = randomUUID()
  const streams = new Map<number, Stream>()
  let working: Promise<void> = Promise.resolve()
  let isQueued = false
  let isStopped = false

  async function write(): Promise<void> {
    isQueued = false
    const now = performance.now()
    const sent = [...streams.values()].filter(({ isWritten }) => !isWritten).map((stream) => ({ ...stream }))
    if (sent.length === 0) return
    const rows = sent.map(({ host, closedAt, isKnown }) => ({
      host,
      isNew: closedAt === null && !isKnown,
      closedMs: closedAt === null ? null : now - closedAt,
    }))
    const written = new Set(await updateStreams(db, server, rows))
    for (const { host, closedAt } of sent) {
      const stream = streams.get(host.hostId)
      if (!stream || !written.has(host.hostId)) continue
      if (closedAt === null) stream.isKnown = true
      if (stream.closedAt !== closedAt) continue
      if (closedAt === null) stream.isWritten = true
      else streams.delete(host.hostId)
    }
  }

  /** Writes at once; changes during a write go together with the next one. What fails is written with the next beat. */
  function writeSoon(): void {
    if (isQueued || isStopped) return
    isQueued = true
    working = working.then(write, write)
    working.catch(() => undefined)
  }

  async function writeRefused(): Promise<void> {
    const now = performance.now()
    const taken = [...refused].map(([organizationId, at]) => ({ organizationId, ms: now - at }))
    if (taken.length === 0) return
    await upsertOutages(db, taken)
    for (const { organizationId } of taken) refused.delete(organizationId)
  }

  async function beat(): Promise<void> {
    const { wasThere, wasGivenUp } = await upsertBeat(db, server)
    if (wasGivenUp) for (const stream of streams.values()) stream.isWritten = false
    await writeRefused()
    await write()
    // After an outage of the database all servers seem gone. Others get the time of a beat before their streams are closed.
    if (wasThere) await closeStreamsOfGone(db)
  }

  return {
    open(host: Host): () => void {
      const stream = streams.get(host.hostId) ?? { host, open: 0, closedAt: null, isKnown: false, isWritten: false }
      streams.set(host.hostId, stream)
      if (stream.open === 0) Object.assign(stream, { closedAt: null, isKnown: false, isWritten: false })
      stream.open++
      writeSoon()
      return () => {
        stream.open--
        if (stream.open > 0) return
        Object.assign(stream, { closedAt: performance.now(), isWritten: false })
        writeSoon()
      }
    },
    /** Called every 10 s: records that this server is alive, and writes what is left to write. */
    beat(): Promise<void> {
      if (!isStopped) working = working.then(beat, beat)
      return working
    },
    /** Called once its streams are closed. The next server to start stores the time in between as an outage. */
    async stop(): Promise<void> {
      isStopped = true
      await working.catch(() => undefined)
      await write()
      await closeStreamsOfStopped(db, server)
    },
  }
}

import { finished, Readable } from 'node:stream'
import { ReadableStream, TransformStream, type WritableStream } from 'node:stream/web'
import { Worker } from 'node:worker_threads'

/** `instant`: a time of UTC. */
export type CellKind = 'text' | 'number' | 'date' | 'instant'

export interface Sheet {
  name: string
  columns: readonly { heading: string; kind: CellKind }[]
}

/** What the thread is sent for each workbook. */
export interface WorkbookJob {
  sheet: Sheet
  rows: ReadableStream<Uint8Array>
  workbook: WritableStream<Uint8Array>
}

/** Workbooks are written in a thread of their own, all in one: the other processors answer calls and run the database. */
export interface Workbooks {
  /**
   * Asks for rows only as fast as the workbook is read. Whoever destroys it ends the rows.
   * @param rows as COPY writes them as text
   */
  write(sheet: Sheet, rows: Readable): Readable
  close(): Promise<void>
}

// Enough for ten workbooks, the most at once. With more it would collect its garbage later.
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 }

export function createWorkbooks(onDeath: (error: Error) => void): Workbooks {
  let thread: Worker | undefined
  const open = new Set<Readable>()
  function start(): Worker {
    const worker = new Worker(new URL('./workbook-thread.ts', import.meta.url), { resourceLimits })
    // Nothing waits for it when the program ends.
    worker.unref()
    worker.on('error', (error) => onDeath(error as Error))
    worker.on('exit', () => {
      thread = undefined
      for (const workbook of open) workbook.destroy(new Error('The thread that writes workbooks ended.'))
    })
    return worker
  }
  return {
    write(sheet, rows) {
      thread ??= start()
      const input = ReadableStream.from(copyChunks(rows))
      const output = new TransformStream<Uint8Array, Uint8Array>()
      const job: WorkbookJob = { sheet, rows: input, workbook: output.writable }
      thread.postMessage(job, [input, output.writable])
      const workbook = Readable.fromWeb(output.readable)
      open.add(workbook)
      finished(workbook, () => {
        open.delete(workbook)
        rows.destroy()
      })
      return workbook
    },
    close: async () => {
      await thread?.terminate()
    },
  }
}

// Of a part of a buffer all of it would be sent.
async function* copyChunks(rows: Readable): AsyncGenerator<Uint8Array> {
  for await (const chunk of rows) yield new Uint8Array(chunk)
}

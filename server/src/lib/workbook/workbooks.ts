import { finished, Readable } from 'node:stream'
import { ReadableStream, TransformStream, type WritableStream } from 'node:stream/web'
import { Worker } from 'node:worker_threads'

/** `instant`: a time in UTC. */
export type CellKind = 'text' | 'number' | 'date' | 'instant'

export interface Sheet {
  name: string
  columns: readonly { heading: string; kind: CellKind }[]
}

/** What the thread gets for each workbook. */
export interface WorkbookJob {
  sheet: Sheet
  rows: ReadableStream<Uint8Array>
  workbook: WritableStream<Uint8Array>
}

/** Writes workbooks, all in one thread of their own: the other processors serve calls and run the database. */
export interface Workbooks {
  /**
   * Asks for rows only as fast as the workbook is read. Destroying it ends the rows.
   * @param rows text as COPY writes it
   */
  write(sheet: Sheet, rows: Readable): Readable
  close(): Promise<void>
}

// Enough for ten workbooks, the most at once. With more memory V8 would collect its garbage later.
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 }

export function createWorkbooks(onDeath: (error: Error) => void): Workbooks {
  let thread: Worker | undefined
  const open = new Set<Readable>()
  function start(): Worker {
    const worker = new Worker(new URL('./workbook-thread.ts', import.meta.url), { resourceLimits })
    // The thread must not keep the program from ending.
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

// Sends copies: of a view into a larger buffer, all of the buffer would be sent.
async function* copyChunks(rows: Readable): AsyncGenerator<Uint8Array> {
  for await (const chunk of rows) yield new Uint8Array(chunk)
}

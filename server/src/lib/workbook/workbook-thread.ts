import { parentPort } from 'node:worker_threads'
import type { WorkbookJob } from './workbooks.ts'
import { writeWorkbook } from './write-workbook.ts'

parentPort?.on('message', ({ sheet, rows, workbook }: WorkbookJob) => {
  // A failure reaches the reader of the workbook.
  writeWorkbook(sheet, rows)
    .pipeTo(workbook)
    .catch(() => undefined)
})

import { parentPort } from 'node:worker_threads'
import type { WorkbookJob } from './workbooks.ts'
import { writeWorkbook } from './write-workbook.ts'

parentPort?.on('message', ({ sheet, rows, workbook }: WorkbookJob) => {
  // Whoever reads the workbook hears of a failure.
  writeWorkbook(sheet, rows)
    .pipeTo(workbook)
    .catch(() => undefined)
})

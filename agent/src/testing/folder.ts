import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Exists for the time of a test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

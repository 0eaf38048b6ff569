import type { ScriptCheck, ScriptFile } from '@lectern/contract/publications/script/script-check.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import { Problem } from '../lib/http/problem.ts'
import { createWorkerPool, type WorkerPool } from '../lib/worker-pool.ts'

export type ScriptChecks = WorkerPool<ScriptFile, ScriptCheck>

/** How many checks may wait: `lane` of an organization, `all` of all. One wizard sends up to seven. */
const waiting = { lane: 20, all: 200 }
// In milliseconds. The bound of counted steps ends a script in a tenth of this time.
const limitMs = 60_000

export const createScriptChecks = (onDeath: (error: Error) => void): ScriptChecks =>
  createWorkerPool({
    file: new URL('./script-thread.ts', import.meta.url),
    threads: 2,
    waiting,
    limitMs,
    onDeath,
    sentences: {
      full: 'Too many files are checked at once. Try again in a moment.',
      failed: 'The file could not be checked. Try again in a moment.',
    },
  })

export interface Check {
  scriptChecks: ScriptChecks
  params: { organizationId: number }
  signal: AbortSignal
}

/**
 * Checks a script that was uploaded, by running it on the sample scans (DRY-03). Throws a Problem 400 where the script cannot work.
 * @returns the warnings
 */
export const checkUpload = ({ file, ...check }: Check & { file: ReceivedFile }): Promise<string[]> =>
  checkScript(check, async () => ({ name: file.name, bytes: new Uint8Array(await file.read()) }))

export async function checkScript({ scriptChecks, params, signal }: Check, read: () => Promise<ScriptFile>): Promise<string[]> {
  const { refusal, warnings } = await scriptChecks.run(`organization ${params.organizationId}`, read, signal)
  if (refusal !== null) throw new Problem(400, refusal)
  return warnings
}

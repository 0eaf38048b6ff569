import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { cacheFolder } from '../setup.mjs'

/**
 * Marks the processes that this one will start, and watches over them from beside: they are ended with this one, however it ends.
 * @param {string} node path of the Node to run the guard with
 * @returns {{ end(): Promise<{ cpuSeconds: number, ended: string[] }> }} `end` ends what is left; `cpuSeconds` of all processes; names and numbers of those that were left
 */
export function startGuard(node) {
  const run = randomUUID()
  const args = [join(import.meta.dirname, 'guard.mjs'), run, String(process.pid), join(cacheFolder(), 'test-cluster')]
  // In a process group of its own, as Ctrl+C reaches all of one.
  const child = spawn(node, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  process.env.LECTERN_TEST_RUN = run
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  // Its pipes do not keep this process.
  for (const handle of [child, child.stdin, child.stdout]) handle.unref()
  const ending = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  ending.catch(() => {})
  return {
    async end() {
      for (const handle of [child, child.stdin, child.stdout]) handle.ref()
      child.stdin.end()
      await ending
      return JSON.parse(printed)
    },
  }
}

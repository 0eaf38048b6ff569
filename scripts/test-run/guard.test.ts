import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

/** Set in the runs that the tests below start. This file then starts a process at its top, as many files do, and leaves it. */
const { LECTERN_LEAVES_PROCESS: listed } = process.env
if (listed) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  child.unref()
  writeFileSync(`${listed}.making`, JSON.stringify([process.pid, child.pid]))
  // Renamed, so that it is never read half.
  renameSync(`${listed}.making`, listed)
}

function startRun(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-guard-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const list = join(folder, 'processes')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../test.mjs'), '--project', 'unit', ...args], {
    env: { ...process.env, LECTERN_LEAVES_PROCESS: list },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  const left = (): number[] => (existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [])
  return { child, closed: once(child, 'close'), left, printed: () => printed }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe.runIf(process.platform === 'linux' && !listed)('[LEA-02] a run of tests', { timeout: 120_000 }, () => {
  test('fails where no title matches, ends what a file began that then had no test, and prints what it took', async () => {
    const run = startRun('scripts/test-run/guard', '-t', 'no such title')
    const [code] = await run.closed
    expect(code).toBe(1)
    expect(run.printed()).toContain('No test was run: no title matches, or all are skipped.')
    expect(run.printed()).toMatch(/^1 processes were left and have been ended: /m)
    expect(run.printed()).toMatch(/^\d+\.\d minutes, \d+ CPU-seconds, \d+ on each of \d+ cores$/m)
    expect(run.left()).toHaveLength(2)
    // The system may need a moment to forget it.
    await expect.poll(() => run.left().filter(isRunning)).toEqual([])
  })

  test('fails where no file matches, also beside one that matches', async () => {
    const run = startRun('scripts/test-run/test-counts', 'scripts/no-such-file')
    const [code] = await run.closed
    expect(code).toBe(1)
    expect(run.printed()).toContain('No test file matches scripts/no-such-file.')
  })

  test('that is killed leaves no process', async () => {
    const run = startRun('scripts/test-run/guard', '-t', 'is waited for')
    await expect.poll(run.left).toHaveLength(2)
    expect(run.left().filter(isRunning)).toHaveLength(2)
    run.child.kill('SIGKILL')
    await run.closed
    await expect.poll(() => run.left().filter(isRunning)).toEqual([])
  })
})

test.runIf(listed)('is waited for', { timeout: 60_000 }, () => new Promise(() => {}))

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const every = 25

/** Memory that a process holds, in bytes. */
async function readMemory(pid: number): Promise<number> {
  const kilobytes =
    process.platform === 'linux'
      ? /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
      : (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
  return Number(kilobytes) * 1024
}

/** Runs `work`; answers how long it took and how far the memory of a process grew meanwhile, at most. */
export async function growthDuring(pid: number, work: () => Promise<void>): Promise<{ seconds: number; bytes: number }> {
  const before = await readMemory(pid)
  let highest = before
  let isRunning = true
  const watching = (async () => {
    while (isRunning) {
      highest = Math.max(highest, await readMemory(pid))
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  })()
  const start = performance.now()
  try {
    await work()
  } finally {
    isRunning = false
    await watching
  }
  return { seconds: (performance.now() - start) / 1000, bytes: highest - before }
}

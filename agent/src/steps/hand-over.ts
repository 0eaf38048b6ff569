import type { Driver, Reader, ReaderContent } from '../drivers/driver.ts'
import { ReaderUnreachable } from '../drivers/driver.ts'
import { pause } from '../wakeup.ts'

/** Milliseconds per hand-over, and more for each 100 kB: a serial line carries 10 kB per second. */
const timeout = { least: 5 * 60_000, per100Kilobytes: 20_000 }
const restart = { most: 60_000, between: 500 }

/** Does not end with the agent: a reader is not left half-way. Throws `ReaderRefusal` or `ReaderUnreachable`. */
export function handOver(driver: Driver, serialNumber: string, content: ReaderContent, progress?: (bytes: number) => void): Promise<void> {
  const milliseconds = Math.ceil(timeout.least + (content.size / 100_000) * timeout.per100Kilobytes)
  return driver.apply(serialNumber, content, AbortSignal.timeout(milliseconds), progress)
}

export async function readAgain(driver: Driver, serialNumber: string): Promise<Reader> {
  const never = new AbortController().signal
  for (const end = Date.now() + restart.most; ; await pause(restart.between, never)) {
    try {
      return await driver.read(serialNumber, never)
    } catch (error) {
      if (!(error instanceof ReaderUnreachable) || Date.now() > end) throw error
    }
  }
}

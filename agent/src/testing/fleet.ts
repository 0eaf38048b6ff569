import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { startSimulatedDriver, stopReaders } from '../drivers/simulated/driver.ts'
import { type ReaderEvent, readerLogFile, readReaderLog } from '../drivers/simulated/reader-log.ts'
import type { FleetOptions } from '../drivers/simulated/readers-socket.ts'
import { newFolder } from './folder.ts'

const never = new AbortController().signal

/** Simulated readers in their own process, for the time of a test. */
export async function startFleet(
  options: Partial<FleetOptions> = {},
  folder: string = newFolder(),
): Promise<{ folder: string; driver: Driver; options: FleetOptions }> {
  const full = { readers: 7, seed: 3, applyMilliseconds: 0, failShare: 0, ...options }
  const driver = await startSimulatedDriver(folder, full, never)
  onTestFinished(async () => {
    await driver.close()
    await stopReaders(folder)
  })
  return { folder, driver, options: full }
}

/** A reader's own log. */
export const readEvents = (folder: string, serialNumber: string): ReaderEvent[] =>
  readReaderLog(readerLogFile(join(folder, 'readers'), serialNumber))

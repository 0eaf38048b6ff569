import type { ReportedDevice } from '@lectern/contract/hosts.ts'
import * as z from 'zod/mini'
import type { Driver } from '../drivers/driver.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import type { Server } from '../server/client.ts'
import type { DesiredState } from '../state/desired-state.ts'
import type { Journal } from '../state/journal.ts'
import { pause } from '../wakeup.ts'
import { toBatches } from './batches.ts'

/** `driver` is absent from files of earlier versions. */
export const LastCheckIn = z.object({ at: z.string(), readers: z.number(), refused: z.number(), driver: z.optional(z.string()) })
export type LastCheckIn = z.infer<typeof LastCheckIn>

interface CheckInParts {
  server: Server
  driver: Driver
  desired: DesiredState
  journal: Journal
  log: Log
  agentVersion: string
  timeZone: () => string
  now: () => Date
  poll: number
  onCheckedIn: (last: LastCheckIn) => Promise<void>
}

/** Milliseconds. */
const gathering = 300

/** All readers per `poll`, and changed ones in between. */
export class CheckIns {
  readonly #parts: CheckInParts
  readonly #changed = new Set<string>()
  readonly #known = new Set<string>()
  readonly #logged = new Set<string>()
  #nextFull = 0

  constructor(parts: CheckInParts) {
    this.#parts = parts
  }

  /** Accepted by the server since the agent started. */
  isKnown(serialNumber: string): boolean {
    return this.#known.has(serialNumber)
  }

  /** Since the agent started. */
  get hasReportedAll(): boolean {
    return this.#nextFull > 0
  }

  addChanged(serialNumber: string): void {
    this.#changed.add(serialNumber)
  }

  async run(signal: AbortSignal): Promise<number> {
    const { now, poll } = this.#parts
    const wait = this.#nextFull - now().getTime()
    // Longer than `poll`: the clock was set back.
    if (wait <= 0 || wait > poll) await this.#reportAll(signal)
    else await this.#reportChanged(signal)
    return this.#nextFull - now().getTime()
  }

  async #reportAll(signal: AbortSignal): Promise<void> {
    const { now, poll, driver, onCheckedIn } = this.#parts
    const readers = await this.#listReaders(signal)
    const refused = await this.#send(readers, signal)
    this.#nextFull = now().getTime() + poll
    await onCheckedIn({ at: now().toISOString(), readers: readers.length - refused, refused, driver: driver.name })
  }

  async #reportChanged(signal: AbortSignal): Promise<void> {
    await pause(gathering, signal)
    const serials = new Set(this.#changed)
    const readers = (await this.#listReaders(signal)).filter(({ serialNumber }) => serials.has(serialNumber))
    if (readers.length > 0) await this.#send(readers, signal)
    for (const serial of serials) this.#changed.delete(serial)
  }

  async #listReaders(signal: AbortSignal): Promise<ReportedDevice[]> {
    const { driver, desired, journal, log } = this.#parts
    // Before the readers are read: what a reader runs then, it runs after these.
    const [configurations, firmware] = [findApplied(false, desired, journal), findApplied(true, desired, journal)]
    try {
      const readers = await driver.list(signal)
      return readers.map((reader) => ({
        ...reader,
        publication: configurations.get(reader.serialNumber) ?? null,
        firmwarePublication: firmware.get(reader.serialNumber) ?? null,
      }))
    } catch (error) {
      // The host PC itself is online.
      if (!signal.aborted) log.warn(`The readers cannot be listed: ${sentence(error)}`)
      return []
    }
  }

  async #send(readers: readonly ReportedDevice[], signal: AbortSignal): Promise<number> {
    let refused = 0
    for (const batch of readers.length === 0 ? [[]] : toBatches(readers)) refused += await this.#sendBatch(batch, signal)
    return refused
  }

  async #sendBatch(devices: ReportedDevice[], signal: AbortSignal): Promise<number> {
    const { server, driver, timeZone, agentVersion, log } = this.#parts
    const { refused } = await server.call('checkIn', { body: { timeZone: timeZone(), agentVersion, driver: driver.name, devices } }, signal)
    const refusedAt = new Set(refused.map(({ index }) => index))
    for (const [index, { serialNumber }] of devices.entries()) if (!refusedAt.has(index)) this.#known.add(serialNumber)
    for (const { index, serialNumber, reason } of refused) {
      const line = `The server refuses reader ${serialNumber ?? devices[index]?.serialNumber}: ${reason}`
      if (!this.#logged.has(line)) log.warn(line)
      this.#logged.add(line)
    }
    return refused.length
  }
}

/** By serial number. */
function findApplied(isFirmware: boolean, { assignments }: DesiredState, journal: Journal): Map<string, string> {
  const ofKind = assignments.filter(({ kind }) => (kind === 'firmware') === isFirmware)
  const desired = new Map(ofKind.map(({ publication, desiredPublication }) => [publication, desiredPublication]))
  const applied = journal.applied().flatMap(({ publication, serialNumber }): [string, string][] => {
    const found = desired.get(publication)
    return found === undefined ? [] : [[serialNumber, found]]
  })
  return new Map(applied)
}

import { createHash } from 'node:crypto'
import { Attached } from '@lectern/contract/devices/attached.ts'
import { isBatteryLow } from '@lectern/contract/devices/devices.ts'
import { type CheckedIn, type CheckIn, hostReaderLimit, type ReportedDevice } from '@lectern/contract/hosts.ts'
import { formatClockAhead } from '@lectern/contract/publications/clock-ahead.ts'
import * as z from 'zod/mini'
import type { Driver } from '../drivers/driver.ts'
import { FaultLog } from '../fault-log.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import type { Server } from '../server/client.ts'
import type { DesiredState } from '../state/desired-state.ts'
import type { Journal } from '../state/journal.ts'
import { refreshTimeZone } from '../time-zone.ts'
import { pause } from '../wakeup.ts'

/**
 * `driver`, `sequence`, `attached`: absent in files of earlier versions. `sequence`: of the answer; the next check-in returns it. `proxy`: the
 * name of the environment's, where it was used.
 */
export const LastCheckIn = z.object({
  at: z.string(),
  readers: z.number(),
  refused: z.number(),
  driver: z.optional(z.string()),
  sequence: z.optional(z.int()),
  onTwoPcs: z.optional(z.literal(true)),
  attached: z.optional(Attached),
  proxy: z.optional(z.string()),
})
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
  interval: number
  /** That of the last answer; 0 where there was none. */
  sequence: number
  /** The command by which this PC becomes a new host PC. */
  enrollAnew: string
  /** The newest roll backs for which nothing that they took back is under way or unreported; undefined while something is. */
  withdrawals: () => number | undefined
  onCheckedIn: (last: LastCheckIn) => Promise<void>
}

/** Milliseconds for which changes are gathered. */
const gathering = 300
/** Milliseconds by which the PC's clock is off: from the one on it is logged as wrong, up to the other one as right again. */
const [clockWrong, clockRight] = [60_000, 30_000]
/** The most milliseconds for which other PCs with this folder have time to check in. */
export const longestSettling = 60_000

// All readers of the host at one time, and the digest by which the server recognizes them.
interface Report {
  bySerial: ReadonlyMap<string, ReportedDevice>
  digest: string
}

/**
 * Looks at the readers each `poll` and reports changes at once. Each `interval` it reports that the rest is unchanged. Sends all readers
 * where the server does not know them.
 */
export class CheckIns {
  readonly #parts: CheckInParts
  readonly #known = new Set<string>()
  readonly #refused = new Map<string, string>()
  readonly #logged = new Set<string>()
  readonly #listing: FaultLog
  readonly #clock: FaultLog
  /** Milliseconds that the last answered check-in took; undefined before. */
  #roundTrip: number | undefined
  // What the server has; null where that is not known.
  #sent: Report | null = null
  #hasReported = false
  #hasChanged = false
  #next = 0
  // Up to which roll back the server knows that this PC has heard of them.
  #confirmed: number | undefined
  #sequence: number
  #onTwoPcs = false
  // From when on a check-in in order shows that no other PC has this folder; null where that is not in question.
  #settlesAt: number | null = null
  // What the server has of `attached`, as JSON.
  #sentAttached: string | undefined

  constructor(parts: CheckInParts) {
    this.#listing = new FaultLog(parts.log, {
      begins: (reason) => `The readers cannot be listed: ${reason}`,
      ends: 'The readers are listed again.',
    })
    this.#clock = new FaultLog(parts.log, {
      begins: (offset) => `The clock of this PC is ${offset}. Readers update by it: set the time of this PC.`,
      ends: 'The clock of this PC is right again.',
    })
    this.#parts = parts
    this.#sequence = parts.sequence
  }

  /** Whether this PC may begin to update readers: as far as the server knows, no other PC checks in as this host (AGT-08). */
  get isAlone(): boolean {
    return !this.#onTwoPcs && this.#settlesAt === null
  }

  /** Until a check-in is answered without it. */
  setOnTwoPcs(): void {
    this.#onTwoPcs = true
    this.#warnOnce(
      `Two PCs check in as this host PC, as its disk or its state folder was copied. The portal hands out nothing to them. Enroll this PC anew: ${this.#parts.enrollAnew}. The other PC then ends, and is enrolled anew too.`,
    )
  }

  /** Whether the server has accepted it since the agent started. */
  isKnown(serialNumber: string): boolean {
    return this.#known.has(serialNumber)
  }

  /** Since the agent started. */
  get hasReportedAll(): boolean {
    return this.#hasReported
  }

  /** Readers were just updated, so the next run waits a moment for others. */
  setChanged(): void {
    this.#hasChanged = true
  }

  async run(signal: AbortSignal): Promise<number> {
    const { now, poll, interval } = this.#parts
    if (this.#hasChanged) await pause(gathering, signal)
    this.#hasChanged = false
    const report = await this.#read(signal)
    const wait = this.#next - now().getTime()
    // More than `interval` means that the clock was set back.
    const withdrawals = this.#parts.withdrawals()
    const isConfirming = withdrawals !== undefined && withdrawals !== (this.#confirmed ?? 0)
    if (wait <= 0 || wait > interval || isConfirming || this.#hasNewAttached() || (report && hasNews(this.#sent, report)))
      await this.#send(report, signal)
    return Math.min(poll, this.#next - now().getTime())
  }

  #hasNewAttached(): boolean {
    const attached = this.#parts.driver.attached?.()
    return attached !== undefined && JSON.stringify(attached) !== this.#sentAttached
  }

  /** Null where the readers cannot be listed. */
  async #read(signal: AbortSignal): Promise<Report | null> {
    const { driver, desired, journal } = this.#parts
    // Read before the readers are: what a reader runs then, it runs after these.
    const [configurations, firmware] = [findApplied(false, desired, journal), findApplied(true, desired, journal)]
    try {
      const readers = await driver.list(signal)
      this.#listing.end()
      if (readers.length > hostReaderLimit)
        this.#warnOnce(`This PC has ${readers.length} readers. The server takes ${hostReaderLimit}; the others are not reported.`)
      return toReport(
        readers.slice(0, hostReaderLimit).map(({ inUse: _, ...reader }) => ({
          ...reader,
          publication: configurations.get(reader.serialNumber) ?? null,
          firmwarePublication: firmware.get(reader.serialNumber) ?? null,
        })),
      )
    } catch (error) {
      if (!signal.aborted) this.#listing.begin(sentence(error))
      return null
    }
  }

  async #send(report: Report | null, signal: AbortSignal): Promise<void> {
    const { now, interval, driver, onCheckedIn } = this.#parts
    const body = report ? toBody(this.#sent, report) : { devices: [] }
    const { sendAll } = await this.#call(body, signal)
    // Kept after a failure, as the server asks for what it lacks.
    this.#sent = sendAll || report?.bySerial.size === 0 ? null : report
    if (sendAll && body.since !== undefined) return this.#send(report, signal)
    this.#hasReported = true
    const at = now().getTime()
    this.#next = this.#settlesAt === null ? at + interval : Math.min(at + interval, Math.max(this.#settlesAt, at))
    const readers = report?.bySerial.size ?? 0
    const attached = driver.attached?.()
    await onCheckedIn({
      at: now().toISOString(),
      readers: readers - this.#refused.size,
      refused: this.#refused.size,
      driver: driver.name,
      sequence: this.#sequence,
      ...(this.#onTwoPcs && { onTwoPcs: true }),
      ...(attached && { attached }),
    })
  }

  #takeSequence({ sequence, isBehind, onTwoPcs }: CheckedIn): void {
    const { now, poll } = this.#parts
    const at = now().getTime()
    const pause = Math.min(poll, longestSettling)
    if (isBehind) this.#settlesAt = at + pause
    // An older server gives no number. A time further ahead than ever means that the clock was set back.
    else if (this.#settlesAt !== null && (sequence === undefined || at >= this.#settlesAt || this.#settlesAt - at > pause))
      this.#settlesAt = null
    this.#sequence = sequence ?? this.#sequence
    if (onTwoPcs) this.setOnTwoPcs()
    else this.#onTwoPcs = false
  }

  /** The PC's clock is not corrected: people set update times by it (AGT-09). */
  #takeClockAhead({ clockAhead }: CheckedIn): void {
    if (clockAhead === undefined) return
    const wrongBy = Math.abs(clockAhead)
    if (wrongBy <= clockRight) this.#clock.end()
    else if (wrongBy > clockWrong && !this.#clock.isLasting) this.#clock.begin(formatClockAhead(clockAhead / 1000))
  }

  async #call(body: Pick<CheckIn, 'devices'> & Partial<CheckIn>, signal: AbortSignal): Promise<CheckedIn> {
    const { server, driver, timeZone, agentVersion, now } = this.#parts
    const withdrawals = this.#parts.withdrawals()
    const attached = driver.attached?.()
    refreshTimeZone()
    const roundTrip = this.#roundTrip
    const sentAt = performance.now()
    const answer = await server.call(
      'checkIn',
      {
        body: {
          timeZone: timeZone(),
          agentVersion,
          sentAt: now().toISOString(),
          ...(roundTrip !== undefined && { roundTrip }),
          driver: driver.name,
          knowsPhases: true,
          sequence: this.#sequence,
          ...(withdrawals !== undefined && { withdrawals }),
          ...(attached && (body.since === undefined || this.#hasNewAttached()) && { attached }),
          ...body,
        },
      },
      signal,
    )
    this.#roundTrip = Math.round(performance.now() - sentAt)
    this.#takeSequence(answer)
    this.#takeClockAhead(answer)
    if (withdrawals !== undefined) this.#confirmed = withdrawals
    if (attached) this.#sentAttached = JSON.stringify(attached)
    if (answer.sendAll) return answer
    if (body.since === undefined) this.#refused.clear()
    const refusedAt = new Map(answer.refused.map(({ index, reason }) => [index, reason]))
    for (const serial of body.gone ?? []) this.#refused.delete(serial)
    for (const [index, { serialNumber }] of (body.devices as ReportedDevice[]).entries()) {
      const reason = refusedAt.get(index)
      if (reason === undefined) this.#accept(serialNumber)
      else this.#refuse(serialNumber, reason)
    }
    return answer
  }

  #accept(serialNumber: string): void {
    this.#known.add(serialNumber)
    this.#refused.delete(serialNumber)
  }

  #refuse(serialNumber: string, reason: string): void {
    this.#refused.set(serialNumber, reason)
    this.#warnOnce(`The server refuses reader ${serialNumber}: ${reason}`)
  }

  #warnOnce(line: string): void {
    if (!this.#logged.has(line)) this.#parts.log.warn(line)
    this.#logged.add(line)
  }
}

function toReport(readers: readonly ReportedDevice[]): Report {
  const sorted = [...readers].sort((a, b) => (a.serialNumber < b.serialNumber ? -1 : 1))
  const digest = createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
  return { bySerial: new Map(sorted.map((reader) => [reader.serialNumber, reader])), digest }
}

const areSame = (one: ReportedDevice, other: ReportedDevice | undefined) => JSON.stringify(one) === JSON.stringify(other)

const hasNews = (sent: Report | null, { bySerial, digest }: Report): boolean =>
  sent?.digest !== digest &&
  ((sent?.bySerial.size ?? 0) !== bySerial.size ||
    [...bySerial.values()].some((reader) => !canWait(sent?.bySerial.get(reader.serialNumber), reader)))

// Batteries lose charge all day, so they wait for the next check-in, except one that became low or recovered.
const canWait = (sent: ReportedDevice | undefined, reader: ReportedDevice): boolean =>
  sent !== undefined &&
  areSame({ ...sent, batteryHealth: null }, { ...reader, batteryHealth: null }) &&
  isBatteryLow(sent.batteryHealth) === isBatteryLow(reader.batteryHealth)

function toBody(sent: Report | null, { bySerial, digest }: Report): Pick<CheckIn, 'devices'> & Partial<CheckIn> {
  const all = [...bySerial.values()]
  if (!sent) return { digest, devices: all }
  return {
    digest,
    since: sent.digest,
    devices: all.filter((reader) => !areSame(reader, sent.bySerial.get(reader.serialNumber))),
    gone: [...sent.bySerial.keys()].filter((serial) => !bySerial.has(serial)),
  }
}

/** What was applied, by serial number. */
function findApplied(isFirmware: boolean, { assignments }: DesiredState, journal: Journal): Map<string, string> {
  const ofKind = assignments.filter(({ kind }) => (kind === 'firmware') === isFirmware)
  const desired = new Map(ofKind.map(({ publication, desiredPublication }) => [publication, desiredPublication]))
  const applied = journal.applied().flatMap(({ publication, serialNumber }): [string, string][] => {
    const found = desired.get(publication)
    return found === undefined ? [] : [[serialNumber, found]]
  })
  return new Map(applied)
}

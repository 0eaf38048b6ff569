import type { Outcome, ReportedDevice } from '@lectern/contract/hosts.ts'
import { updateInstant } from '@lectern/contract/update-time.ts'
import { backoff } from './backoff.ts'
import type { DesiredState, Order } from './desired.ts'
import { type Downloads, damagedLimit } from './downloads.ts'
import { type Driver, ReaderUnreachable } from './drivers/driver.ts'
import type { Log } from './log.ts'
import { sentence } from './sentence.ts'
import type { Journal } from './state/journal.ts'

/** Readers that change over at the same time. */
const parallel = 4
/** How often a reader is asked before it is reported as failed. */
const triesPerReader = 3
/** Milliseconds a reader has to change over. */
const applyTimeout = 5 * 60_000
/** The longest pause between two looks at the clock, in milliseconds: a clock that was set is noticed within it. */
const longestPause = 60_000

interface Target {
  reader: ReportedDevice
  configuration: Order
  bytes: Uint8Array
}

export interface Applying {
  /**
   * Looks at what is due and gives it to the readers that have not had it; resolved once they are queued.
   * Answers how many milliseconds from now the next look is needed.
   */
  look(signal: AbortSignal): Promise<number>
  /** Resolved when no reader is being written to. */
  idle(): Promise<void>
}

/** Brings readers to the desired configuration, reader by reader, each publication once. */
export function applying(parts: {
  driver: Driver
  desired: DesiredState
  downloads: Downloads
  journal: Journal
  log: Log
  now: () => Date
  timeZone: () => string
  /** Called after each outcome is kept. */
  settled: (outcome: Outcome) => void
  /** Called when a reader shall be looked at again, or a content is missing. */
  wanted: (what: 'look' | 'content') => void
}): Applying {
  const { driver, desired, downloads, journal, log, now } = parts
  const failures = new Map<string, { publication: string; tries: number; notBefore: number }>()
  const announced = new Set<string>()
  const busy = new Set<string>()
  const workers = new Set<Promise<void>>()
  let queue: Target[] = []

  const keyOf = ({ serialNumber }: ReportedDevice, { publication }: Order) => `${publication} ${serialNumber}`

  /** Whether a reader is to be given a configuration at this moment. */
  const isWaiting = (reader: ReportedDevice, configuration: Order): boolean =>
    desired.isCurrent(configuration) &&
    reader.deviceType === configuration.deviceType &&
    (configuration.serialNumber ?? reader.serialNumber) === reader.serialNumber &&
    !busy.has(reader.serialNumber) &&
    !journal.isSettled(configuration.publication, reader.serialNumber) &&
    (failures.get(keyOf(reader, configuration))?.notBefore ?? 0) <= now().getTime()

  async function settle(reader: ReportedDevice, configuration: Order, reason: string | null): Promise<void> {
    const { publication } = configuration
    const { serialNumber } = reader
    const outcome = reason === null ? 'applied' : 'failed'
    const entry: Outcome = { publication, serialNumber, outcome, reason: reason?.slice(0, 500) ?? null, at: now().toISOString() }
    await journal.record(entry)
    failures.delete(keyOf(reader, configuration))
    parts.settled(entry)
  }

  /** Puts a reader off until later. @returns how many tries it has had. */
  function putOff(reader: ReportedDevice, configuration: Order): number {
    const { publication } = configuration
    const tries = (failures.get(keyOf(reader, configuration))?.tries ?? 0) + 1
    failures.set(keyOf(reader, configuration), { publication, tries, notBefore: now().getTime() + backoff(tries) })
    parts.wanted('look')
    return tries
  }

  async function bring({ reader, configuration, bytes }: Target, signal: AbortSignal): Promise<void> {
    const { serialNumber } = reader
    const { publication, contentHash, content, fileName } = configuration
    try {
      // The agent may have been killed after the reader had changed over and before that was kept: the reader knows.
      const { configuration: running } = await driver.read(serialNumber, signal)
      if (signal.aborted || !desired.isCurrent(configuration)) return
      if (running?.contentHash === contentHash && running.fileName === fileName) log.info(`${serialNumber} runs it already.`)
      else {
        log.info(`Applying to ${serialNumber} …`)
        // Not ended by the agent's own end: a reader is not left half-way.
        await driver.apply(serialNumber, { publication, kind: content, contentHash, fileName, bytes }, AbortSignal.timeout(applyTimeout))
        log.info(`${serialNumber} runs it now.`)
      }
    } catch (error) {
      if (signal.aborted) return
      const tries = putOff(reader, configuration)
      log.warn(`${serialNumber} did not take it (try ${tries}): ${sentence(error)}`)
      // A reader that cannot be spoken to has not failed: it gets its configuration when it is back.
      if (tries >= triesPerReader && !(error instanceof ReaderUnreachable)) await settle(reader, configuration, sentence(error))
      return
    }
    await settle(reader, configuration, null)
  }

  async function work(signal: AbortSignal): Promise<void> {
    for (let target = queue.shift(); target && !signal.aborted; target = queue.shift()) {
      const { reader, configuration } = target
      // Since it was queued, the configuration may have been replaced or the reader served.
      if (!isWaiting(reader, configuration)) continue
      busy.add(reader.serialNumber)
      try {
        await bring(target, signal)
      } catch (error) {
        log.warn(sentence(error))
        putOff(reader, configuration)
      } finally {
        busy.delete(reader.serialNumber)
      }
      // While this reader was busy, a look did not see that it waits for what has come since.
      if (!desired.isCurrent(configuration)) parts.wanted('look')
    }
  }

  /** The readers that still need a configuration whose time has come; none while its content is not here. */
  async function targetsOf(configuration: Order, readers: ReportedDevice[]): Promise<Target[]> {
    const { contentHash } = configuration
    const waiting = readers.filter((reader) => isWaiting(reader, configuration))
    if (waiting.length === 0) return []
    const bytes = await downloads.load(contentHash)
    if (bytes) return waiting.map((reader) => ({ reader, configuration, bytes }))
    if (downloads.isHopeless(contentHash)) {
      const reason = `The configuration arrived damaged ${damagedLimit} times, so the host has not given it to the reader.`
      for (const reader of waiting) await settle(reader, configuration, reason)
    } else parts.wanted('content')
    return []
  }

  /** When a reader that was put off is to be looked at again; what concerns replaced publications is forgotten. */
  function nextTry(): number {
    const current = new Set(desired.orders.map(({ publication }) => publication))
    let next = Number.POSITIVE_INFINITY
    for (const [key, { publication, notBefore }] of failures) {
      if (!current.has(publication)) failures.delete(key)
      else if (notBefore > now().getTime()) next = Math.min(next, notBefore)
    }
    return next
  }

  return {
    async look(signal) {
      const readers = await driver.list(signal)
      const targets: Target[] = []
      let next = now().getTime() + longestPause
      for (const configuration of desired.orders) {
        const due = updateInstant(new Date(configuration.publishedAt), configuration.updateTime, parts.timeZone())
        if (due.getTime() <= now().getTime()) targets.push(...(await targetsOf(configuration, readers)))
        else next = Math.min(next, due.getTime())
        announce(configuration, due)
      }
      queue = targets
      for (let free = Math.min(parallel - workers.size, queue.length); free > 0; free -= 1) {
        const worker = work(signal).finally(() => workers.delete(worker))
        workers.add(worker)
      }
      return Math.min(next, nextTry()) - now().getTime()
    },
    async idle() {
      await Promise.allSettled(workers)
    },
  }

  function announce({ publication, deviceType, serialNumber, fileName, revision, updateTime }: Order, due: Date): void {
    if (announced.has(publication)) return
    announced.add(publication)
    const when = due.getTime() <= now().getTime() ? 'now' : `at ${updateTime} (${due.toISOString()}, ${parts.timeZone()})`
    const what = `${fileName ?? 'a CFG'}, revision ${revision}`
    if (serialNumber === undefined) log.info(`Published for ${deviceType}: ${what}; readers take it over ${when}.`)
    else log.info(`${serialNumber} shall be given ${what} once more, ${when}.`)
  }
}

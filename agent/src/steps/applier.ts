import type { Outcome } from '@lectern/contract/hosts.ts'
import { backoff } from '../backoff.ts'
import { type Reader, ReaderUnreachable } from '../drivers/driver.ts'
import { sentence } from '../sentence.ts'
import type { Content } from '../state/contents.ts'
import { computeStart, makeName, type Order } from '../state/desired-state.ts'
import { damagedLimit } from '../state/downloads.ts'
import { type BringingParts, bringing } from './update-reader.ts'

/** Readers that change over at the same time. */
const parallel = 4
/** How often a reader is asked before it is reported as failed. */
const triesPerReader = 3
/** Milliseconds after which a reader that is in use is looked at again. */
const whileInUse = 10_000
/** The longest pause between two looks at the clock, in milliseconds: a clock that was set is noticed within it. */
const longestPause = 60_000

interface Target {
  reader: Reader
  order: Order
  content: Content
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

interface ApplyingParts extends BringingParts {
  now: () => Date
  timeZone: () => string
  /** Called after each outcome is kept. */
  settled: (outcome: Outcome) => void
  /** Called when a reader shall be looked at again, or a content is missing. */
  wanted: (what: 'look' | 'content') => void
}

/** Brings readers to what is desired of them, reader by reader, each publication once. */
export function applying(parts: ApplyingParts): Applying {
  const { driver, desired, downloads, journal, begun, log, now } = parts
  const bring = bringing(parts)
  const postponed = new Map<string, { publication: string; tries: number; notBefore: number }>()
  const announced = new Set<string>()
  /** Readers that are being served, and with which publication. */
  const busy = new Map<string, string>()
  /** What waits for a reader that is busy with something else. */
  let parked = new Map<string, Target[]>()
  const workers = new Set<Promise<void>>()
  let queue: Target[] = []

  const makeKey = ({ serialNumber }: Reader, { publication }: Order) => `${publication} ${serialNumber}`

  /** Whether the time for an order's readers to begin is now. */
  const mayStart = (order: Order): boolean => computeStart(order, parts.timeZone(), now()) <= now()
  /** Whether it was begun with before: it may have changed over, or stand half-way since the agent was killed. */
  const isBegun = ({ serialNumber }: Reader, { publication }: Order): boolean => begun.before(serialNumber, publication) !== undefined
  /** Whether a reader may be written to now. One that did not take it has what it had, so it begins again in its time. */
  const mayBegin = (reader: Reader, order: Order): boolean =>
    mayStart(order) || (isBegun(reader, order) && !postponed.has(makeKey(reader, order)))

  /** Whether a reader is to be given something at this moment. */
  const isWaiting = (reader: Reader, order: Order): boolean =>
    desired.isOpen(order) &&
    reader.deviceType === order.deviceType &&
    (order.serialNumber ?? reader.serialNumber) === reader.serialNumber &&
    busy.get(reader.serialNumber) !== order.publication &&
    !journal.isSettled(order.publication, reader.serialNumber) &&
    (postponed.get(makeKey(reader, order))?.notBefore ?? 0) <= now().getTime()

  async function settle(reader: Reader, order: Order, reason: string | null): Promise<void> {
    const { publication } = order
    const { serialNumber } = reader
    const outcome = reason === null ? 'applied' : 'failed'
    const entry: Outcome = { publication, serialNumber, outcome, reason: reason?.slice(0, 500) ?? null, at: now().toISOString() }
    await journal.record(entry)
    await begun.end(serialNumber)
    postponed.delete(makeKey(reader, order))
    parts.settled(entry)
  }

  /** Puts a reader off until later: for `milliseconds`, else longer with each try. @returns how many tries it has had. */
  function putOff(reader: Reader, order: Order, milliseconds?: number): number {
    const before = postponed.get(makeKey(reader, order))?.tries ?? 0
    const tries = milliseconds === undefined ? before + 1 : before
    const notBefore = now().getTime() + (milliseconds ?? backoff(tries))
    postponed.set(makeKey(reader, order), { publication: order.publication, tries, notBefore })
    parts.wanted('look')
    return tries
  }

  async function serve({ reader, order, content }: Target, signal: AbortSignal): Promise<void> {
    const { serialNumber } = reader
    try {
      const brought = await bring(serialNumber, order, content, signal, () => mayBegin(reader, order))
      if (brought.is === 'applied') await settle(reader, order, null)
      if (brought.is === 'failed') {
        log.warn(`${serialNumber} has not got ${makeName(order)}: ${brought.reason}`)
        await settle(reader, order, brought.reason)
      }
      if (brought.is === 'later') {
        if (!postponed.has(makeKey(reader, order))) log.info(`${serialNumber} gets ${makeName(order)} later: ${brought.reason}.`)
        putOff(reader, order, whileInUse)
      }
    } catch (error) {
      if (signal.aborted) return
      const tries = putOff(reader, order)
      log.warn(`${serialNumber} did not take ${makeName(order)} (try ${tries}): ${sentence(error)}`)
      // A reader that cannot be spoken to has not failed: it gets what it shall have when it is back.
      if (tries >= triesPerReader && !(error instanceof ReaderUnreachable)) await settle(reader, order, sentence(error))
    }
  }

  async function work(signal: AbortSignal): Promise<void> {
    for (let target = queue.shift(); target && !signal.aborted; target = queue.shift()) {
      const { reader, order } = target
      const { serialNumber } = reader
      // Since it was queued, the order may have been replaced or halted, the reader served, or the time to begin be over.
      if (!isWaiting(reader, order) || !(mayStart(order) || isBegun(reader, order))) continue
      if (busy.has(serialNumber)) {
        parked.set(serialNumber, [...(parked.get(serialNumber) ?? []), target])
        continue
      }
      busy.set(serialNumber, order.publication)
      try {
        await serve(target, signal)
      } catch (error) {
        log.warn(sentence(error))
        putOff(reader, order)
      } finally {
        busy.delete(serialNumber)
      }
      queue.unshift(...(parked.get(serialNumber) ?? []))
      parked.delete(serialNumber)
    }
  }

  /** The readers that still need an order whose time has come; none while its content is not here. */
  async function targetsOf(order: Order, readers: Reader[]): Promise<Target[]> {
    const waiting = readers.filter((reader) => isWaiting(reader, order))
    if (waiting.length === 0) return []
    const content = await downloads.open(order.contentHash)
    if (content) return waiting.map((reader) => ({ reader, order, content }))
    if (downloads.isHopeless(order.contentHash)) {
      const what = order.kind === 'firmware' ? 'firmware' : 'configuration'
      const reason = `The ${what} arrived damaged ${damagedLimit} times, so the host has not given it to the reader.`
      for (const reader of waiting) await settle(reader, order, reason)
    } else parts.wanted('content')
    return []
  }

  /** When a reader that was put off is to be looked at again; what concerns replaced publications is forgotten. */
  function nextTry(): number {
    const current = new Set(desired.orders.map(({ publication }) => publication))
    let next = Number.POSITIVE_INFINITY
    for (const [key, { publication, notBefore }] of postponed) {
      if (!current.has(publication)) postponed.delete(key)
      else if (notBefore > now().getTime()) next = Math.min(next, notBefore)
    }
    return next
  }

  return {
    async look(signal) {
      const readers = await driver.list(signal)
      const targets: Target[] = []
      let next = now().getTime() + longestPause
      for (const order of desired.orders) {
        const start = computeStart(order, parts.timeZone(), now())
        const open = start <= now() ? readers : readers.filter((reader) => isBegun(reader, order))
        if (open.length > 0) targets.push(...(await targetsOf(order, open)))
        if (start > now()) next = Math.min(next, start.getTime())
        announce(order, start)
      }
      queue = targets
      parked = new Map()
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

  function announce(order: Order, start: Date): void {
    const { publication, deviceType, serialNumber, revision, updateTime, stopTime, halted } = order
    if (announced.has(publication)) return
    announced.add(publication)
    const isNow = start <= now()
    const when = halted ? 'once it is no longer halted' : isNow ? 'now' : `at ${updateTime} (${start.toISOString()}, ${parts.timeZone()})`
    const until = stopTime === null ? '' : `, until ${stopTime}`
    const what = `${makeName(order)}, revision ${revision}`
    if (serialNumber === undefined) log.info(`Published for ${deviceType}: ${what}; readers take it over ${when}${until}.`)
    else log.info(`${serialNumber} shall be given ${what} once more, ${when}.`)
  }
}

import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { type Driver, type Reader, type ReaderContent, ReaderUnreachable } from '../drivers/driver.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import type { Content } from '../state/contents.ts'
import { type DesiredState, makeName, type Order } from '../state/desired-state.ts'
import type { Downloads } from '../state/downloads.ts'
import type { Before, Begun } from '../state/in-progress.ts'
import type { Journal } from '../state/journal.ts'
import { pause } from '../wakeup.ts'

/** Milliseconds a reader has to take something over, and those it has for each 100 kB of it beside them: a serial line carries 10 kB a second. */
const applyTimeout = { least: 5 * 60_000, each: 20_000 }
/** Milliseconds a reader has to come up again afterwards, and between two attempts to speak to it. */
const restart = { most: 60_000, between: 500 }

/** How it went: it runs it; it was not given it now and is to be asked later, it does not take it, with the reason; or it is no longer wanted, or not at this time. */
export type Brought = { is: 'applied' } | { is: 'later'; reason: string } | { is: 'failed'; reason: string } | { is: 'dropped' }

export interface BringingParts {
  driver: Driver
  desired: DesiredState
  downloads: Downloads
  journal: Journal
  begun: Begun
  log: Log
  /** Told how far an order has come on a reader, in per cent. */
  progress: (order: Order, serialNumber: string, percent: number) => void
}

/** Brings one reader to one order, and back where it is not well afterwards. Throws `ReaderRefusal` and `ReaderUnreachable`. */
export function bringing({ driver, desired, downloads, journal, begun, log, progress }: BringingParts) {
  const isSame = (a: string | null, b: string | null) => a !== null && b !== null && versionOrder(a) === versionOrder(b)

  /** Whether a reader runs an order. A firmware without a version is told by the reader's version having changed since it was begun. */
  function runs(reader: Reader, order: Order): boolean {
    if (order.kind !== 'firmware') {
      const { configuration } = reader
      return configuration?.contentHash === order.contentHash && configuration.fileName === order.fileName
    }
    if (order.version !== null) return isSame(reader.firmware, order.version)
    const before = begun.before(reader.serialNumber, order.publication)
    return before !== undefined && reader.firmware !== null && reader.firmware !== before.firmware
  }

  /** Why a reader is not well after it was given an order; null when it is. */
  function troubleOf(reader: Reader, { kind, version, contentHash }: Order): string | null {
    if (kind !== 'firmware')
      return reader.configuration?.contentHash === contentHash ? null : 'The reader does not run the configuration it was given.'
    if (version !== null ? isSame(reader.firmware, version) : reader.firmware !== null) return null
    return `The reader reports ${reader.firmware ? `firmware ${reader.firmware}` : 'no firmware'} after the update${version === null ? '' : ` to ${version}`}.`
  }

  /** Reads a reader that may still be starting up. */
  async function readAgain(serialNumber: string, signal: AbortSignal): Promise<Reader> {
    for (const end = Date.now() + restart.most; ; await pause(restart.between, signal)) {
      try {
        return await driver.read(serialNumber, signal)
      } catch (error) {
        if (!(error instanceof ReaderUnreachable) || signal.aborted || Date.now() > end) throw error
      }
    }
  }

  const hand = (serialNumber: string, content: ReaderContent, told: (bytes: number) => void = () => {}) => {
    const timeout = Math.ceil(applyTimeout.least + (content.size / 100_000) * applyTimeout.each)
    // Not ended by the agent's own end: a reader is not left half-way.
    return driver.apply(serialNumber, content, AbortSignal.timeout(timeout), told)
  }

  /** What a reader ran before an order, where the host has it. */
  async function formerOf(
    order: Order,
    { deviceType, serialNumber }: Reader,
    before: Before,
  ): Promise<(ReaderContent & { name: string }) | null> {
    const { publication, kind } = order
    const isFirmware = kind === 'firmware'
    const wasGiven = (former: Order) =>
      journal.applied().some((entry) => entry.publication === former.publication && entry.serialNumber === serialNumber)
    const published = desired.former.find(
      (former) =>
        former.deviceType === deviceType &&
        (former.kind === 'firmware') === isFirmware &&
        (isFirmware
          ? former.version === null
            ? wasGiven(former)
            : isSame(former.version, before.firmware)
          : former.contentHash === before.configuration?.contentHash),
    )
    const release = isFirmware ? desired.previousOf(deviceType).find(({ version }) => isSame(version, before.firmware)) : undefined
    const former = published ?? (release && { ...release, kind: 'firmware' as const, fileName: null })
    const content = former && (await downloads.open(former.contentHash))
    if (!former || !content) return null
    return { ...former, ...content, publication, name: makeName(former) }
  }

  /** Returns a reader to what it ran before. @returns what became of it, as a sentence. */
  async function goBack(order: Order, reader: Reader, before: Before): Promise<string> {
    const was =
      order.kind === 'firmware' ? before.firmware && `firmware ${before.firmware}` : before.configuration && 'its former configuration'
    const former = await formerOf(order, reader, before)
    if (!former) return `This PC has no copy of ${was || 'what it ran before'} to return it to.`
    const returned = `It was returned to ${former.name}.`
    // The agent may have been killed after that.
    if (order.kind === 'firmware' ? isSame(reader.firmware, before.firmware) : reader.configuration?.contentHash === former.contentHash)
      return returned
    log.warn(`${reader.serialNumber} is returned to ${former.name} …`)
    await hand(reader.serialNumber, former)
    return returned
  }

  /** What keeps a reader from being given anything at this moment. */
  function obstacle({ inUse, batteryHealth }: Reader): Brought | null {
    if (inUse) return { is: 'later', reason: 'somebody is working with it' }
    if (batteryHealth !== null && batteryHealth < desired.minBattery)
      return { is: 'failed', reason: `Battery at ${Math.floor(batteryHealth)}%. Update needs ${desired.minBattery}%.` }
    return null
  }

  /** @param mayBegin asked before anything is written to a reader that runs what it shall not */
  return async function bring(
    serialNumber: string,
    order: Order,
    content: Content,
    signal: AbortSignal,
    mayBegin: () => boolean,
  ): Promise<Brought> {
    // The agent may have been killed after the reader had changed over and before that was kept: the reader knows.
    let reader = await driver.read(serialNumber, signal)
    if (signal.aborted || !desired.isOpen(order)) return { is: 'dropped' }
    const earlier = begun.before(serialNumber, order.publication)
    let trouble = earlier?.trouble ?? null
    // It had changed over when the agent was killed, and nobody had looked how it is since.
    if (earlier && order.kind === 'firmware' && reader.firmware !== earlier.firmware) trouble ??= troubleOf(reader, order)
    if (trouble === null) {
      if (runs(reader, order)) {
        log.info(`${serialNumber} runs ${makeName(order)} already.`)
        return { is: 'applied' }
      }
      if (!mayBegin()) return { is: 'dropped' }
      const hindered = obstacle(reader)
      if (hindered) return hindered
    }
    const { firmware, configuration } = reader
    const before = await begun.begin(serialNumber, { publication: order.publication, firmware, configuration })
    const unhurried = new AbortController().signal
    if (trouble === null) {
      log.info(`Applying ${makeName(order)} to ${serialNumber} …`)
      progress(order, serialNumber, 0)
      await hand(serialNumber, { ...order, ...content }, (bytes) => progress(order, serialNumber, Math.floor((100 * bytes) / content.size)))
      reader = await readAgain(serialNumber, unhurried)
      trouble = troubleOf(reader, order)
      if (trouble === null) {
        log.info(`${serialNumber} runs it now.`)
        return { is: 'applied' }
      }
      log.warn(`${serialNumber} is not well: ${sentence(trouble)}`)
      await begun.trouble(serialNumber, trouble)
    }
    return { is: 'failed', reason: `${trouble} ${await goBack(order, reader, before)}` }
  }
}

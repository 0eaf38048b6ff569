import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { canTake, type Driver, describeImpossible, type Reader, type ReaderContent, ReaderUnreachable } from '../drivers/driver.ts'
import type { Assignment } from '../state/assignment.ts'
import { damagedLimit } from '../state/downloads.ts'
import type { ReaderBefore } from '../state/in-progress.ts'
import { pause } from '../wakeup.ts'
import type { ActiveState, StepName } from './states.ts'
import { isInPhase, isInProgress, isTime, type Step, type Transition, type Update, type UpdateContext } from './update.ts'

const whileInUse = 10_000
/** Milliseconds. A serial line carries 10 kB per second. */
const timeout = { least: 5 * 60_000, per100Kilobytes: 20_000 }
const restart = { most: 60_000, between: 500 }

const begin: Step<'queued'> = async (update, context, signal) => {
  const { assignment, serialNumber } = update
  const { driver, desired, downloads, inProgress, log } = context
  const content = await downloads.open(assignment.contentHash)
  if (!content && !update.isImpossible) return whileIncomplete(update, context)
  const reader = await driver.read(serialNumber, signal)
  if (signal.aborted || !desired.isOpen(assignment, serialNumber)) return null
  const before = inProgress.find(serialNumber, assignment.publication)
  if (before && hasChangedOver(reader, assignment, before)) return { to: 'verifying' }
  if (isRunning(reader, assignment)) {
    log.info(`${serialNumber}: runs ${assignment.label} already.`)
    return { to: 'settled' }
  }
  if (!canTake(reader, assignment.kind)) return { to: 'failed', reason: describeImpossible(assignment.kind), code: 'notPossible' }
  if (!mayBegin(update, context)) return null
  // The reader can take it since the last look.
  if (!content) return whileIncomplete(update, context)
  if (reader.inUse) {
    if (update.notBefore === 0) log.info(`${serialNumber}: ${assignment.label} is postponed, the reader is in use.`)
    return { to: 'postponed', reason: 'The reader is in use.', milliseconds: whileInUse }
  }
  const { firmware, configuration, batteryHealth } = reader
  if (batteryHealth !== null && batteryHealth < desired.minBattery)
    return { to: 'failed', reason: `Battery at ${Math.floor(batteryHealth)}%. Update needs ${desired.minBattery}%.` }
  await inProgress.start(serialNumber, { publication: assignment.publication, firmware, configuration })
  return { to: 'applying', content }
}

const whileIncomplete = (update: Update, { downloads }: UpdateContext): Transition<'failed' | 'downloading'> =>
  downloads.isHopeless(update.assignment.contentHash) ? { to: 'failed', reason: describeDamage(update) } : { to: 'downloading' }

/** An update that a killed agent had started is finished after the stop time too. A reader that had not taken it waits (decision 26). */
const mayBegin = (update: Update, context: UpdateContext): boolean =>
  (isTime(update, context) && isInPhase(update)) || (isInProgress(update, context) && update.notBefore === 0)

function describeDamage({ assignment }: Update): string {
  const what = assignment.kind === 'firmware' ? 'firmware' : 'configuration'
  return `The ${what} arrived damaged ${damagedLimit} times. The reader was not updated.`
}

const checkContent: Step<'downloading'> = async ({ assignment: { contentHash } }, { downloads }) =>
  downloads.isHopeless(contentHash) || (await downloads.has(contentHash)) ? { to: 'queued' } : null

const retry: Step<'postponed'> = async ({ notBefore }, { now }) => (notBefore <= now().getTime() ? { to: 'queued' } : null)

const apply: Step<'applying'> = async (update, { driver, log, onProgress }) => {
  const { assignment, serialNumber } = update
  const content = update.content!
  log.info(`${serialNumber}: applying ${assignment.label}.`)
  onProgress(update, 0)
  await handOver(driver, serialNumber, { ...assignment, ...content }, (bytes) =>
    onProgress(update, Math.floor((100 * bytes) / content.size)),
  )
  return { to: 'verifying' }
}

const verify: Step<'verifying'> = async (update, context) => {
  const { assignment, serialNumber } = update
  const { driver, inProgress, log } = context
  const reader = await readAgain(driver, serialNumber)
  const before = inProgress.find(serialNumber, assignment.publication)!
  const trouble = before.trouble ?? findTrouble(reader, assignment)
  if (trouble === null) {
    log.info(`${serialNumber}: runs ${assignment.label}.`)
    return { to: 'settled' }
  }
  if (before.trouble === null) {
    log.warn(`${serialNumber}: the update went wrong. ${trouble}`)
    await inProgress.recordTrouble(serialNumber, trouble)
  }
  return { to: 'failed', reason: `${trouble} ${await returnReader(assignment, reader, before, context)}` }
}

export const steps: { [S in ActiveState as StepName<S>]: Step<S> } = { begin, checkContent, retry, apply, verify }

const isSameVersion = (a: string | null, b: string | null): boolean => a !== null && b !== null && versionOrder(a) === versionOrder(b)

/** False for firmware without a version, which only `hasChangedOver` can find. */
function isRunning({ firmware, configuration }: Reader, { kind, version, contentHash, fileName }: Assignment): boolean {
  if (kind === 'firmware') return version !== null && isSameVersion(firmware, version)
  return configuration?.contentHash === contentHash && configuration.fileName === fileName
}

/** For after a kill: whether the reader has to be verified. */
const hasChangedOver = (reader: Reader, { kind }: Assignment, before: ReaderBefore): boolean =>
  before.trouble !== null || (kind === 'firmware' && reader.firmware !== before.firmware)

/** Null where nothing is wrong. */
function findTrouble({ firmware, configuration }: Reader, { kind, version, contentHash }: Assignment): string | null {
  if (kind !== 'firmware')
    return configuration?.contentHash === contentHash ? null : 'The reader does not run the configuration it was given.'
  if (version === null ? firmware !== null : isSameVersion(firmware, version)) return null
  return `The reader reports ${firmware ? `firmware ${firmware}` : 'no firmware'} after the update${version === null ? '' : ` to ${version}`}.`
}

/** Does not end with the agent, so that no reader is left half-way. Throws as `Driver` does. */
function handOver(driver: Driver, serialNumber: string, content: ReaderContent, progress?: (bytes: number) => void): Promise<void> {
  const milliseconds = Math.ceil(timeout.least + (content.size / 100_000) * timeout.per100Kilobytes)
  return driver.apply(serialNumber, content, AbortSignal.timeout(milliseconds), progress)
}

async function readAgain(driver: Driver, serialNumber: string): Promise<Reader> {
  const never = new AbortController().signal
  for (const end = Date.now() + restart.most; ; await pause(restart.between, never)) {
    try {
      return await driver.read(serialNumber, never)
    } catch (error) {
      if (!(error instanceof ReaderUnreachable) || Date.now() > end) throw error
    }
  }
}

type PreviousContent = ReaderContent & { label: string }

const isSameConfiguration = (one: Reader['configuration'], other: Reader['configuration']): boolean =>
  one?.contentHash === other?.contentHash && one?.fileName === other?.fileName

/** Returns a sentence for the outcome (decision 20). */
async function returnReader(
  assignment: Assignment,
  reader: Reader,
  before: ReaderBefore,
  { desired, downloads, driver, journal, log }: UpdateContext,
): Promise<string> {
  const isFirmware = assignment.kind === 'firmware'
  if (assignment.kind === 'commands' && isSameConfiguration(reader.configuration, before.configuration))
    return 'It runs what it ran before.'
  const previous = await findPrevious()
  if (previous && !canTake(reader, previous.kind)) return `It cannot be returned to ${previous.label}. ${describeImpossible(previous.kind)}`
  if (!previous) return `This PC has no copy of ${describeBefore()} to return it to.`
  // A killed agent may have returned the reader already.
  const isReturned = isFirmware
    ? isSameVersion(reader.firmware, before.firmware)
    : reader.configuration?.contentHash === previous.contentHash
  if (!isReturned) {
    log.warn(`${reader.serialNumber}: returning to ${previous.label}.`)
    await handOver(driver, reader.serialNumber, previous)
  }
  return `It was returned to ${previous.label}.`

  function describeBefore(): string {
    if (isFirmware) return before.firmware ? `firmware ${before.firmware}` : 'what it ran before'
    return before.configuration ? 'its previous configuration' : 'what it ran before'
  }

  async function findPrevious(): Promise<PreviousContent | null> {
    const release = isFirmware
      ? desired.previousFirmware(reader.deviceType).find(({ version }) => isSameVersion(version, before.firmware))
      : undefined
    const previous =
      desired.previous.find((one) => one.deviceType === reader.deviceType && (one.kind === 'firmware') === isFirmware && wasRunning(one)) ??
      (release && { ...release, kind: 'firmware' as const, fileName: null, label: `firmware ${release.version}` })
    const content = previous && (await downloads.open(previous.contentHash))
    return previous && content ? { ...previous, ...content, publication: assignment.publication } : null
  }

  function wasRunning(previous: Assignment): boolean {
    if (!isFirmware) return previous.contentHash === before.configuration?.contentHash
    if (previous.version !== null) return isSameVersion(previous.version, before.firmware)
    // For firmware without a version the journal shows who has it.
    return journal.applied().some((entry) => entry.publication === previous.publication && entry.serialNumber === reader.serialNumber)
  }
}

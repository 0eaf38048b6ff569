import { damagedLimit } from '../state/downloads.ts'
import { findTrouble, hasChangedOver, isRunning } from './checks.ts'
import { handOver, readAgain } from './hand-over.ts'
import { returnReader } from './return-reader.ts'
import type { ActiveState, StepName } from './states.ts'
import { isStarted, isTime, type Step, type Update, type UpdateContext } from './update.ts'

const whileInUse = 10_000

const begin: Step<'queued'> = async (update, context, signal) => {
  const { assignment, serialNumber } = update
  const { driver, desired, downloads, inProgress, log } = context
  const content = await downloads.open(assignment.contentHash)
  if (!content && downloads.isHopeless(assignment.contentHash)) return { to: 'failed', reason: describeDamage(update) }
  if (!content) return { to: 'downloading' }
  const reader = await driver.read(serialNumber, signal)
  if (signal.aborted || !desired.isOpen(assignment)) return null
  const before = inProgress.find(serialNumber, assignment.publication)
  if (before && hasChangedOver(reader, assignment, before)) return { to: 'verifying' }
  if (isRunning(reader, assignment)) {
    log.info(`${serialNumber}: runs ${assignment.label} already.`)
    return { to: 'settled' }
  }
  if (!mayBegin(update, context)) return null
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

/** A reader that a killed agent began with is finished after the stop time too; one that did not take it waits (decision 26). */
const mayBegin = (update: Update, context: UpdateContext): boolean =>
  isTime(update, context) || (isStarted(update, context) && update.notBefore === 0)

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

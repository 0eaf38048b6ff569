import type { Reader, ReaderContent } from '../drivers/driver.ts'
import type { Assignment } from '../state/assignment.ts'
import type { ReaderBefore } from '../state/in-progress.ts'
import { isSameVersion } from './checks.ts'
import { handOver } from './hand-over.ts'
import type { UpdateContext } from './update.ts'

type PreviousContent = ReaderContent & { label: string }

/** Hands over what the reader ran before the update, where this PC has it (decision 20). The result is a sentence for the outcome. */
export async function returnReader(
  assignment: Assignment,
  reader: Reader,
  before: ReaderBefore,
  { desired, downloads, driver, journal, log }: UpdateContext,
): Promise<string> {
  const isFirmware = assignment.kind === 'firmware'
  const previous = await findPrevious()
  if (!previous) return `This PC has no copy of ${describeBefore()} to return it to.`
  // A killed agent may have returned it already.
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
    // A customer's own firmware has no version: the journal knows who has it.
    return journal.applied().some((entry) => entry.publication === previous.publication && entry.serialNumber === reader.serialNumber)
  }
}

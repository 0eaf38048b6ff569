import { Desired, DesiredConfiguration, DesiredFirmware, defaultMinBattery, type PreviousFirmware } from '@lectern/contract/hosts.ts'
import { always } from '@lectern/contract/schedule/open-times.ts'
import * as z from 'zod/mini'
import { type Assignment, isForReader, type Publication, toAssignment } from './assignment.ts'
import { readJson, writeJson } from './durable-file.ts'

export interface DesiredContent {
  contentHash: string
  size: number
  name: string
  /** Empty where the content is kept only to return readers to it. */
  publications: string[]
}

const Publications = z.object({ configurations: z.array(DesiredConfiguration), firmware: z.array(DesiredFirmware) })
type Publications = z.infer<typeof Publications>
const noPublications: Publications = { configurations: [], firmware: [] }

/** The file calls `former` what the code calls previous. */
const File = z.extend(Desired, { former: z._default(Publications, noPublications) })

/** Stored on disk, so that readers update in time without the server. */
export class DesiredState {
  readonly #file: string
  #desired: Desired
  /** Per model and kind, the publication before the current one. */
  #previous: Publications
  #assignments: readonly Assignment[]
  #contents: readonly DesiredContent[]

  private constructor(file: string, desired: Desired, previous: Publications) {
    this.#file = file
    this.#desired = desired
    this.#previous = previous
    this.#assignments = listAssignments(desired)
    this.#contents = listContents(desired, previous)
  }

  /** Ignores a file of another zone. */
  static async open(file: string, zoneId: string, zoneName: string): Promise<DesiredState> {
    const stored = await readJson(file, File)
    if (stored?.zoneId === zoneId) {
      const { former: previous, ...desired } = stored
      return new DesiredState(file, desired, previous)
    }
    return new DesiredState(
      file,
      {
        zoneId,
        zoneName,
        withdrawals: 0,
        ...noPublications,
        returns: noPublications,
        reapplications: [],
        minBattery: defaultMinBattery,
        openTimes: always,
      },
      noPublications,
    )
  }

  get zoneName(): string {
    return this.#desired.zoneName
  }

  /** How many roll backs the zone has had, as far as this PC knows. */
  get withdrawals(): number {
    return this.#desired.withdrawals
  }

  get minBattery(): number {
    return this.#desired.minBattery
  }

  get assignments(): readonly Assignment[] {
    return this.#assignments
  }

  get previous(): readonly Assignment[] {
    return [...this.#previous.firmware, ...this.#previous.configurations].map((publication) => toAssignment(publication))
  }

  get contents(): readonly DesiredContent[] {
    return this.#contents
  }

  previousFirmware(deviceType: string): readonly PreviousFirmware[] {
    const { firmware, returns } = this.#desired
    return [...firmware, ...returns.firmware].find((one) => one.deviceType === deviceType)?.previous ?? []
  }

  /** False where it is halted, replaced, or no longer for this reader. */
  isOpen({ publication }: Pick<Assignment, 'publication'>, serialNumber: string): boolean {
    return this.#assignments.some(
      (assignment) => assignment.publication === publication && !assignment.halted && isForReader(assignment, serialNumber),
    )
  }

  has(publication: string): boolean {
    return this.#assignments.some((assignment) => assignment.publication === publication)
  }

  /**
   * Returns whether anything changed.
   * @param hasReaders whether a reader was given a publication
   */
  async take(answer: Desired, hasReaders: (publication: string) => boolean = () => true): Promise<boolean> {
    const { commands = [], ...rest } = answer
    const configurations = keepNewest([...answer.configurations, ...commands], this.#desired.configurations)
    const firmware = keepNewest(answer.firmware, this.#desired.firmware)
    const desired = { ...rest, zoneId: this.#desired.zoneId, configurations, firmware }
    const previous = {
      configurations: listReplaced(configurations, this.#desired.configurations, this.#previous.configurations, hasReaders),
      firmware: listReplaced(firmware, this.#desired.firmware, this.#previous.firmware, hasReaders),
    }
    if (JSON.stringify([desired, previous]) === JSON.stringify([this.#desired, this.#previous])) return false
    await writeJson(this.#file, { ...desired, former: previous } satisfies z.infer<typeof File>)
    this.#desired = desired
    this.#previous = previous
    this.#assignments = listAssignments(desired)
    this.#contents = listContents(desired, previous)
    return true
  }
}

/** Both are compared, as a server restored from a backup counts revisions anew. */
const isOlder = (a: Publication, b: Publication) =>
  a.publication !== b.publication && a.revision < b.revision && Date.parse(a.publishedAt) < Date.parse(b.publishedAt)

const findModel = <P extends Publication>(list: readonly P[], { deviceType }: Publication) =>
  list.find((publication) => publication.deviceType === deviceType)

/** A response that a later one has overtaken must not bring back anything older. */
const keepNewest = <P extends Publication>(answered: readonly P[], known: readonly P[]): P[] =>
  answered.map((publication) => {
    const current = findModel(known, publication)
    return current && isOlder(publication, current) ? current : publication
  })

/** What `next` replaces; where no reader has that, what was replaced before it. */
const listReplaced = <P extends Publication>(
  next: readonly P[],
  known: readonly P[],
  before: readonly P[],
  hasReaders: (publication: string) => boolean,
): P[] =>
  next.flatMap((publication) => {
    const current = findModel(known, publication)
    const isReplaced = current && current.publication !== publication.publication && hasReaders(current.publication)
    const previous = isReplaced ? current : findModel(before, publication)
    return previous ? [previous] : []
  })

function listAssignments({ configurations, firmware, returns, reapplications, openTimes, timeZoneHistory }: Desired): Assignment[] {
  // Firmware first, as a configuration may need it.
  const all = [...firmware, ...returns.firmware, ...configurations, ...returns.configurations].map((publication) =>
    toAssignment(publication, { openTimes, timeZoneHistory }),
  )
  const again = reapplications.flatMap(({ id, publication, serialNumber }) =>
    all
      .filter((assignment) => assignment.publication === publication)
      // A user has just asked for these.
      .map(
        (assignment): Assignment => ({
          ...assignment,
          publication: id,
          serialNumber,
          stopTime: null,
          startDate: null,
          openTimes: always,
          admitted: null,
        }),
      ),
  )
  return [...all, ...again]
}

function listContents(desired: Desired, previous: Publications): DesiredContent[] {
  const { returns } = desired
  const configurations = [...desired.configurations, ...returns.configurations]
  const firmware = [...desired.firmware, ...returns.firmware]
  const contents = new Map<string, DesiredContent>()
  const add = (contentHash: string, size: number, name: string, publications: string[]) => {
    const known = contents.get(contentHash)
    contents.set(contentHash, { contentHash, size, name, publications: [...(known?.publications ?? []), ...publications] })
  }
  for (const { contentHash, size, label, deviceType, publication } of [...firmware, ...configurations].map((publication) =>
    toAssignment(publication),
  ))
    add(contentHash, size, `${label} for ${deviceType}`, [publication])
  for (const { contentHash, size, label, deviceType } of [...previous.firmware, ...previous.configurations].map((publication) =>
    toAssignment(publication),
  ))
    add(contentHash, size, `${label} for ${deviceType}, to return to`, [])
  for (const { deviceType, previous } of firmware)
    for (const { contentHash, size, version } of previous) add(contentHash, size, `firmware ${version} for ${deviceType}, to return to`, [])
  return [...contents.values()]
}

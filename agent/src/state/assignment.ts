import type { DesiredConfiguration, DesiredFirmware } from '@lectern/contract/hosts.ts'
import { plannedStart } from '@lectern/contract/publications/time-zone-history.ts'
import { always, type OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import type { ReaderContent } from '../drivers/driver.ts'

export type Publication = DesiredConfiguration | DesiredFirmware

/**
 * A publication for all readers of a model but those of `except`; for those of `readers` alone; or, with a `serialNumber`, for one reader
 * again.
 */
export interface Assignment extends Omit<DesiredConfiguration, 'content'>, Pick<ReaderContent, 'kind' | 'version'> {
  serialNumber?: string
  /** The publication that the reader runs afterwards. A re-application has an id of its own in `publication`. */
  desiredPublication: string
  /** The zone's. */
  openTimes: OpenTimes
  /** The server plans its runs by it; undefined from older servers. */
  timeZoneHistory: string | undefined
  /** A file name, or `firmware 4.12.0`. */
  label: string
}

type Plan = Pick<Assignment, 'openTimes' | 'timeZoneHistory'>

export function toAssignment(publication: Publication, { openTimes = always, timeZoneHistory }: Partial<Plan> = {}): Assignment {
  const desiredPublication = publication.publication
  const plan = { openTimes, timeZoneHistory }
  if ('content' in publication) {
    const label = publication.fileName ?? (publication.content === 'commands' ? 'commands' : 'a CFG')
    return { ...publication, kind: publication.content, version: null, desiredPublication, ...plan, label }
  }
  const label = `firmware ${publication.version ?? publication.fileName}`
  return { ...publication, kind: 'firmware', desiredPublication, ...plan, label }
}

export function isForReader({ serialNumber, readers, except }: Assignment, reader: string): boolean {
  if (serialNumber !== undefined) return serialNumber === reader
  return readers ? readers.includes(reader) : !except.includes(reader)
}

/**
 * When readers may begin, by the host's clock; not after `now` where they may already (decisions 26, 31, 58). A new time zone of the PC
 * counts once the server has planned by it (INP-05).
 */
export const findStart = ({ publishedAt, atOnce, timeZoneHistory, ...times }: Assignment, timeZone: () => string, now: Date): Date =>
  // The server's clock may be ahead of this PC's.
  atOnce ? now : plannedStart(new Date(publishedAt), times, timeZoneHistory ?? timeZone(), now)

import type { DesiredConfiguration, DesiredFirmware } from '@lectern/contract/hosts.ts'
import { startInstant } from '@lectern/contract/publications/update-time.ts'
import type { ReaderContent } from '../drivers/driver.ts'

export type Publication = DesiredConfiguration | DesiredFirmware

/** What all readers of a model must run or, with a `serialNumber`, what one reader gets once more. */
export interface Assignment extends Omit<DesiredConfiguration, 'content'>, Pick<ReaderContent, 'kind' | 'version'> {
  serialNumber?: string
  /** What the reader runs afterwards. For a re-application it differs from `publication`, which its outcome names. */
  desiredPublication: string
  /** For people: a file name, or `firmware 4.12.0`. */
  label: string
}

export function toAssignment(publication: Publication): Assignment {
  const desiredPublication = publication.publication
  if ('content' in publication) {
    const label = publication.fileName ?? 'a CFG'
    return { ...publication, kind: publication.content, version: null, desiredPublication, label }
  }
  const label = `firmware ${publication.version ?? publication.fileName}`
  return { ...publication, kind: 'firmware', desiredPublication, label }
}

/** From when on readers may begin, by the host's clock. In the past where they may begin now (decision 26). */
export const findStart = ({ publishedAt, updateTime, stopTime, atOnce }: Assignment, timeZone: string, now: Date): Date =>
  atOnce ? new Date(publishedAt) : startInstant(new Date(publishedAt), { updateTime, stopTime }, timeZone, now)

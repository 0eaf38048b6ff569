import { closingTag, isClosedCfg, withLeadingBracket } from '@lectern/contract/publications/cfg.ts'

/** Milliseconds without a character after which a scan has ended (spec §9). */
export const pointerRelease = 500

/** Removes blanks before the first tag, and puts the "<" in front that begins a capture (spec §4). */
export const capturedText = (typed: string): string => withLeadingBracket(typed.trimStart())

/** Whether the pointer stays held after a change: not once the text is closed, nor after it became shorter (spec §4). */
export const holdsPointer = (before: string, after: string): boolean => after.length >= before.length && !isClosedCfg(after)

export type CaptureState = 'waiting' | 'receiving' | 'paused' | 'complete'

/** `active`: a character came within the last 500 ms. */
export function getCaptureState(text: string, active: boolean): CaptureState {
  if (isClosedCfg(text)) return 'complete'
  if (active) return 'receiving'
  return text === '' ? 'waiting' : 'paused'
}

/** Milliseconds. A reader makes no longer pauses between its keys, a person does. */
const scannerPause = 50

/** Keys that came without a pause after the text `before`. `at`: when the last one came, in milliseconds. */
export interface Burst {
  before: string
  at: number
}

/** @param next the text with one more key at its end; any other change does not belong to a scan */
export function continueBurst(burst: Burst, text: string, next: string, at: number): Burst {
  const isKey = text === '' || (next.startsWith(text) && next.length === text.length + 1)
  if (!isKey) return { before: next, at }
  const isNew = at - burst.at > scannerPause || (isClosedCfg(text) && !isClosedCfg(next))
  return { before: isNew ? text : burst.before, at }
}

/**
 * The text of a second scan after a first one; null where there is none. After a closed text any tag begins a scan; after a broken one only
 * the text's first tag does, as a reader may pause within a text.
 */
export function findSecondScan({ before }: Burst, text: string): string | null {
  if (before === '' || !text.startsWith(before)) return null
  const scan = text.slice(before.length).trimStart()
  const begins = isClosedCfg(before)
    ? /^<[A-Za-z_]./.test(scan)
    : closingTag(before) !== null && closingTag(before) === closingTag(scan) && /^<[\w.:-]+[\s>]/.test(scan)
  return begins ? scan : null
}

import { closingTag, isClosedCfg, withLeadingBracket } from '@lectern/contract/publications/cfg.ts'

/** Milliseconds without a character after which a scan is over (spec §9). */
export const pointerRelease = 500

/** Without blanks before the first tag, and with the "<" that begins a capture (spec §4). */
export const capturedText = (typed: string): string => withLeadingBracket(typed.trimStart())

/** Whether a change keeps the pointer held: not when the text is closed, nor when it became shorter (spec §4). */
export const holdsPointer = (before: string, after: string): boolean => after.length >= before.length && !isClosedCfg(after)

export type CaptureState = 'waiting' | 'receiving' | 'paused' | 'complete'

/** `active`: a character came within the last 500 ms. */
export function getCaptureState(text: string, active: boolean): CaptureState {
  if (isClosedCfg(text)) return 'complete'
  if (active) return 'receiving'
  return text === '' ? 'waiting' : 'paused'
}

/** Milliseconds. A reader that types has no longer pauses between its keys, and a person has. */
const scannerPause = 50

/** Keys that came without a pause behind `before`. `at`: of the last one, in milliseconds. */
export interface Burst {
  before: string
  at: number
}

/** @param next `text` and the key that came behind it; any other change is none of a scan */
export function continueBurst(burst: Burst, text: string, next: string, at: number): Burst {
  const isKey = text === '' || (next.startsWith(text) && next.length === text.length + 1)
  if (!isKey) return { before: next, at }
  const isNew = at - burst.at > scannerPause || (isClosedCfg(text) && !isClosedCfg(next))
  return { before: isNew ? text : burst.before, at }
}

/**
 * The text of a second scan behind a first one; null where there is none. Behind a whole text any tag begins one, behind a broken one its first tag
 * again: a reader may pause within a text.
 */
export function findSecondScan({ before }: Burst, text: string): string | null {
  if (before === '' || !text.startsWith(before)) return null
  const scan = text.slice(before.length).trimStart()
  const begins = isClosedCfg(before)
    ? /^<[A-Za-z_]./.test(scan)
    : closingTag(before) !== null && closingTag(before) === closingTag(scan) && /^<[\w.:-]+[\s>]/.test(scan)
  return begins ? scan : null
}

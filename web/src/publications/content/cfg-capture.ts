import { closingTag, isClosedCfg, withLeadingBracket } from '@lectern/contract/publications/cfg.ts'

/** In milliseconds. After so long without a character, a scan has ended (spec §9). */
export const pointerRelease = 500

/** Returns the typed text without blanks before its first tag, and with a "<" in front if it lacks one (spec §4). */
export const capturedText = (typed: string): string => withLeadingBracket(typed.trimStart())

/** Whether the pointer stays held after a change of the text. It does not once the text is closed, or became shorter (spec §4). */
export const holdsPointer = (before: string, after: string): boolean => after.length >= before.length && !isClosedCfg(after)

export type CaptureState = 'waiting' | 'receiving' | 'paused' | 'complete'

/** Returns the state of a capture. `active`: whether a character came within the last 500 ms. */
export function getCaptureState(text: string, active: boolean): CaptureState {
  if (isClosedCfg(text)) return 'complete'
  if (active) return 'receiving'
  return text === '' ? 'waiting' : 'paused'
}

/** In milliseconds. A reader pauses no longer between its keys; a person does. */
const scannerPause = 50

/**
 * Keys that came one after the other without a pause. `before`: the text before the first one. `at`: when the last one came, in
 * milliseconds.
 */
export interface Burst {
  before: string
  at: number
}

/**
 * Returns the burst with the change from `text` to `next`. It goes on with one more key at the end of the text, and begins anew after a pause,
 * after a closed text, or with any other change.
 */
export function continueBurst(burst: Burst, text: string, next: string, at: number): Burst {
  const isKey = text === '' || (next.startsWith(text) && next.length === text.length + 1)
  if (!isKey) return { before: next, at }
  const isNew = at - burst.at > scannerPause || (isClosedCfg(text) && !isClosedCfg(next))
  return { before: isNew ? text : burst.before, at }
}

/**
 * Returns the second scan in `text`, which came after the text `before`; null where there is none. Where `before` is closed, any tag begins a
 * second scan. Where it is not, only its own first tag does, as anything else may be the rest of it, after a pause.
 */
export function findSecondScan({ before }: Burst, text: string): string | null {
  if (before === '' || !text.startsWith(before)) return null
  const scan = text.slice(before.length).trimStart()
  const begins = isClosedCfg(before)
    ? /^<[A-Za-z_]./.test(scan)
    : closingTag(before) !== null && closingTag(before) === closingTag(scan) && /^<[\w.:-]+[\s>]/.test(scan)
  return begins ? scan : null
}

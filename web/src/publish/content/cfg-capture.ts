import { isClosedCfg, withLeadingBracket } from '@lectern/contract/publications/cfg.ts'

/** A scan is over when nothing has come for so long, in milliseconds (spec §9). */
export const pointerRelease = 500

/** What the box holds after typing, scanning or pasting: no blank before the first tag, and the "<" that a capture starts with (spec §4). */
export const capturedText = (typed: string): string => withLeadingBracket(typed.trimStart())

/** Whether the pointer stays held after the text has changed: not when it is closed, nor when it became shorter (spec §4). */
export const holdsPointer = (before: string, after: string): boolean => after.length >= before.length && !isClosedCfg(after)

/** Where a capture stands. */
export type CaptureState = 'waiting' | 'receiving' | 'paused' | 'complete'

/** `active`: something came within the last 500 ms. */
export function captureState(text: string, active: boolean): CaptureState {
  if (isClosedCfg(text)) return 'complete'
  if (active) return 'receiving'
  return text === '' ? 'waiting' : 'paused'
}

import { isClosedCfg, withLeadingBracket } from '@lectern/contract/publications/cfg.ts'

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

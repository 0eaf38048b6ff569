import { typedBytes } from '@lectern/contract/desk/limits.ts'
import { byteLength } from '@lectern/contract/text/text.ts'

/** A key as the browser has it. `at`: milliseconds. */
export interface Key {
  key: string
  ctrlKey: boolean
  at: number
}

/** Keys that came without a pause. Gaps are only counted, as a reader types 64 kB. */
export interface Burst {
  text: string
  /** In UTF-8, with what is too long to be kept. */
  bytes: number
  /** Of the last key. */
  at: number
  keys: number
  /** Gaps of more than 150 ms, and the sum of all. */
  slowGaps: number
  gaps: number
  /** Places in the text before which a dead key came, such as `^` of a French keyboard. */
  deadKeys: readonly number[]
  isTooLong: boolean
}

export const noBurst: Burst = { text: '', bytes: 0, at: 0, keys: 0, slowGaps: 0, gaps: 0, deadKeys: [], isTooLong: false }

/** Milliseconds between two keys in the median, above which a person may have typed (DSK-04). */
export const slowGap = 150

const named: Record<string, string> = { Enter: '\n', Tab: '\t', Escape: '\x1b', Backspace: '\b' }

/** Returns undefined for a key that types nothing by itself, such as Shift. Ctrl with a letter is a control character, as readers press it. */
function toText({ key, ctrlKey }: Key): string | undefined {
  if (Object.hasOwn(named, key)) return named[key]
  if ([...key].length !== 1) return undefined
  if (!ctrlKey) return key
  const code = key.toUpperCase().charCodeAt(0) - 64
  // The database stores no NUL.
  return code > 0 && code < 32 ? String.fromCharCode(code) : key
}

export function press(burst: Burst, key: Key): Burst {
  if (key.key === 'Dead') return { ...burst, deadKeys: [...burst.deadKeys, burst.text.length] }
  const text = toText(key)
  if (text === undefined) return burst
  const gap = burst.keys === 0 ? 0 : Math.max(0, key.at - burst.at)
  const bytes = burst.bytes + byteLength(text)
  const isTooLong = bytes > typedBytes
  return {
    ...burst,
    text: isTooLong ? burst.text : burst.text + text,
    bytes,
    at: key.at,
    keys: burst.keys + 1,
    slowGaps: burst.slowGaps + (gap > slowGap ? 1 : 0),
    gaps: burst.gaps + gap,
    isTooLong,
  }
}

const lone = new Set(['\n', '\x1b'])

/**
 * Milliseconds after the page begins to listen. A text that begins sooner may lack its beginning, which its reader typed elsewhere. A person
 * who presses a button and then scans takes longer.
 */
export const lateStart = 300

/** Milliseconds without a key after which the burst is over: the slower the keys, the longer. */
export function pauseAfter({ text, keys, gaps }: Burst): number {
  if (keys === 1) return lone.has(text) ? 400 : 1_500
  return Math.min(3_000, Math.max(500, 6 * (gaps / (keys - 1))))
}

/** Whether the median of the gaps is above 150 ms. A closing Enter is a key like the others. */
export const isSlow = ({ keys, slowGaps }: Burst): boolean => slowGaps * 2 > keys - 1

/** A key that a person presses alone: Enter goes on, Esc lets go. Null: it is a reader's text. */
export function findPress({ text, keys }: Burst): 'next' | 'release' | null {
  if (keys !== 1) return null
  return text === '\n' ? 'next' : text === '\x1b' ? 'release' : null
}

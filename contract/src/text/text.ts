import * as z from 'zod/mini'

const control = /\p{Cc}/u
// Overrides, embeddings and isolates change the order in which a text is read.
const bidirectional = /[\u202a-\u202e\u2066-\u2069]/u
// A joiner joins the letters or emoji beside it. Anywhere else it is invisible.
const joined = /(?<=[\p{L}\p{M}\p{Emoji_Modifier}\p{Extended_Pictographic}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu
const format = /\p{Cf}/u
// Any character but blanks and those that fonts leave out. The last one is the blank of Braille.
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
const encoder = new TextEncoder()

const hasInvisible = (text: string): boolean => format.test(text.replace(joined, ''))

/** Whether a text shows anything. */
export const isVisible = (text: string): boolean => visible.test(text)

export const byteLength = (text: string): number => encoder.encode(text).length

/** Cuts a text to bytes of UTF-8, without splitting a grapheme cluster. */
export function truncateToBytes(text: string, limit: number): string {
  let bytes = 0
  let end = 0
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    bytes += byteLength(segment)
    if (bytes > limit) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** Returns null where the name can be stored and be part of a path. */
export function unusableName(name: string): string | null {
  if (name === '.' || name === '..') return `"${name}" cannot be used as a name.`
  if (name.includes('\0')) return 'The name has a character that cannot be stored (NUL).'
  if (control.test(name)) return 'The name has a character that cannot be shown, such as a line break.'
  if (bidirectional.test(name)) return 'The name has a character that changes the direction of text.'
  if (hasInvisible(name)) return 'The name has a character that cannot be seen.'
  if (!name.isWellFormed()) return 'The name has half of a character (a lone surrogate).'
  return null
}

export const Line = (max: number) => OptionalLine(max).check(z.refine(isVisible, 'must not be empty'))

/** The one rule for names, such as those of zones, files or serial numbers (INP-02). */
export const Name = (max: number) =>
  z.pipe(
    z.string().check(z.trim(), z.normalize('NFC')),
    Line(max).check(z.refine((text) => !hasInvisible(text), 'must not have characters that cannot be seen')),
  )

export const OptionalLine = (max: number) =>
  z.string().check(
    z.maxLength(max, `must have at most ${max} characters`),
    z.refine((text) => !control.test(text) && text.isWellFormed(), 'must not have control characters'),
    z.refine((text) => !bidirectional.test(text), 'must not have characters that change the direction of text'),
  )

/** Without NUL and unpaired surrogates, which a database cannot store. */
export const Text = (max: number) =>
  z.string().check(
    z.maxLength(max, `must have at most ${max} characters`),
    z.refine((text) => !text.includes('\0') && text.isWellFormed(), 'must be text'),
  )

// The formats allow a year 0, which calendars do not have.
const isAfterYearZero = z.refine<string>((text) => !text.startsWith('0000'), 'must not be in the year 0')

export const CalendarDate = z.iso.date({ error: 'must be a date, such as 2027-01-31', abort: true }).check(isAfterYearZero)

export const Instant = z.iso.datetime('must be an instant in UTC, such as 2027-01-31T08:30:00Z').check(isAfterYearZero)

// In small letters, as ids are stored, so that equal ids are equal texts.
export const Uuid = z.guid('must be an id').check(z.toLowerCase())

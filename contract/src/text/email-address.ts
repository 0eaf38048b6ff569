import * as z from 'zod/mini'

/** The one rule for addresses (INP-02): all that providers let people sign in with, also with a domain as people write it. */
export const EmailAddress = (max: number) =>
  z.pipe(
    z.string().check(z.trim(), z.normalize('NFC')),
    z
      .email({ pattern: z.regexes.unicodeEmail, error: 'must be an e-mail address', abort: true })
      .check(z.maxLength(max, `must have at most ${max} characters`)),
  )

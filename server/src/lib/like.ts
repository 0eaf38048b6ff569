/** A LIKE pattern that matches `text` anywhere; `%`, `_` and `\` in it stand for themselves. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A pattern with fewer letters is found by no index of trigrams. */
export const lettersOfTrigram = 3

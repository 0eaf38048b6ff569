/** A LIKE pattern that matches `text` anywhere, in the form in which names are stored; `%`, `_` and `\` in it stand for themselves. */
export const containsPattern = (text: string): string => `%${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`

/** A pattern with fewer letters is found by no index of trigrams. */
export const lettersOfTrigram = 3

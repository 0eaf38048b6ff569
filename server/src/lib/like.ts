/** A LIKE pattern for `text` anywhere, in the form in which names are stored; `%`, `_` and `\` in it are literal. */
export const containsPattern = (text: string): string => `%${text.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`

/** An index of trigrams finds only patterns with so many letters. */
export const lettersOfTrigram = 3

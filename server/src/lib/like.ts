/** A LIKE pattern that matches `text` anywhere; `%`, `_` and `\` in it stand for themselves. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A name as it is stored and compared: without white space around it, each character in one form (INP-02). */
export const cleanName = (text: string): string => text.normalize('NFC').trim()

/** Equal where names are the same to people, and for what is searched in them. Not for serial numbers and licences, which keep their case. */
export const foldName = (text: string): string => cleanName(text).toLowerCase()

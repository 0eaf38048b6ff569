/** A name as stored and compared: without white space around it, and each character in one form (INP-02). */
export const cleanName = (text: string): string => text.normalize('NFC').trim()

/**
 * Equal for names that people take for the same, and for texts that are searched in names. Not for serial numbers and licences, whose case
 * counts.
 */
export const foldName = (text: string): string => cleanName(text).toLowerCase()

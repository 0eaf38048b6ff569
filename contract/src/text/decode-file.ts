export interface DecodedFile {
  text: string
  encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252'
}

// What no text has: control characters but for white space, and what Windows-1252 leaves open.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const noText = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f-\u009f]/

/** Decodes a file in the encoding that its bytes allow; null where they fit none of the three. */
export function decodeFile(bytes: Uint8Array): DecodedFile | null {
  const isMarked = (first: number, second: number) => bytes[0] === first && bytes[1] === second
  if (isMarked(0xff, 0xfe)) return decode(bytes, 'utf-16le', 'UTF-16')
  if (isMarked(0xfe, 0xff)) return decode(bytes, 'utf-16be', 'UTF-16')
  return decode(bytes, 'utf-8', 'UTF-8') ?? decode(bytes, 'windows-1252', 'Windows-1252')
}

function decode(bytes: Uint8Array, label: string, encoding: DecodedFile['encoding']): DecodedFile | null {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes)
    // In UTF-8 such characters are allowed: a script may contain one.
    const isText = encoding === 'Windows-1252' ? !noText.test(text) : !text.includes('\0')
    return isText ? { text, encoding } : null
  } catch {
    return null
  }
}

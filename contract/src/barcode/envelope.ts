/** The envelope of commands in a symbol or on a cable: SOH Y GS STX, each part with ETX behind it, then EOT (spec §2). */
export const envelopeStart = '\x01Y\x1d\x02'
export const endOfPart = '\x03'
export const endOfEnvelope = '\x04'

export const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** @param parts Latin-1, not checked */
export const encodeEnvelope = (parts: readonly string[]): Uint8Array<ArrayBuffer> =>
  toBytes(`${envelopeStart}${parts.map((part) => `${part}${endOfPart}`).join('')}${endOfEnvelope}`)

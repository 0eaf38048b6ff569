export const maxSamples = 20

/** The most characters of one symbol: digits in a QR Code of version 40 at error correction level L. */
export const maxSampleLength = 7_089

// The character that separates GS1 fields without a fixed length.
const separator = '\u001d'

/** Scans of shops, stores and hospitals on which every script is tried. */
export const defaultSamples: readonly string[] = [
  '4006381333931',
  '012345678905',
  `01095011015300031727123110ABC123${separator}21S-0042`,
  '(01)09501101530003(17)271231(10)ABC123',
  'PAT-00481516',
  '  WH 12-A-07  ',
  'https://example.com/p?id=42&lot=7A',
  'M\u00fcller Stra\u00dfe 5',
  'A',
]

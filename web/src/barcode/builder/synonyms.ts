/** Names of the field for what the catalogue calls otherwise. */
const synonyms: readonly (readonly [RegExp, string])[] = [
  [/interleaved 2 of 5/i, 'i2of5 i25 itf itf-14'],
  [/hong kong 2 of 5/i, 'china post'],
  [/straight 2 of 5/i, 'industrial iata'],
  [/\bupc|\bean/i, 'ean8 ean13 upca upce jan gtin isbn'],
  [/gs1 databar/i, 'rss rss14'],
  [/data matrix/i, 'ecc200 dm'],
  [/code 39/i, '3of9 code3of9'],
  [/code 32/i, 'italian pharmacode paraf'],
  [/code 128/i, 'gs1-128 ean128 ucc128'],
  [/codabar/i, 'nw7 usd4'],
  [/canada post|usps|royal mail|australia post/i, 'mail'],
  [/carriage return/i, 'cr enter crlf'],
  [/line feed/i, 'lf newline'],
  [/\benter\b/i, 'return cr'],
  [/suffix/i, 'terminator postamble cr lf crlf enter'],
  [/prefix/i, 'preamble'],
  [/beep/i, 'sound buzzer loudness'],
  [/usb keyboard/i, 'hid keyboard wedge'],
  [/rs-232/i, 'serial rs232'],
  [/target light/i, 'aimer aiming'],
  [/reading mode/i, 'trigger presentation'],
  [/duplicate scan/i, 'double read same symbol timeout'],
]

export const findSynonyms = (about: string): string => synonyms.flatMap(([pattern, words]) => (pattern.test(about) ? words : [])).join(' ')

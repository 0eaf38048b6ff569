const firstSymbol = 0x2400
const deleteSymbol = '␡'

/** Shows control characters as symbols that an input can display: ␍ for a carriage return. */
export const withVisibleControls = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    .replace(/[\u0000-\u001f]/g, (character) => String.fromCharCode(firstSymbol + character.charCodeAt(0)))
    .replace(/\u007f/g, deleteSymbol)

/** The reverse of `withVisibleControls`. The symbols themselves cannot be sent to a reader. */
export const withControls = (text: string): string =>
  text.replace(/[\u2400-\u241f]/g, (symbol) => String.fromCharCode(symbol.charCodeAt(0) - firstSymbol)).replaceAll(deleteSymbol, '\u007f')

export const controlNames: readonly { character: string; name: string }[] = [
  { character: '\t', name: 'Tab' },
  { character: '\r', name: 'Carriage return' },
  { character: '\n', name: 'Line feed' },
  { character: '\u001b', name: 'Escape' },
  { character: '\u001d', name: 'Group separator' },
  { character: '\u0002', name: 'Start of text' },
  { character: '\u0003', name: 'End of text' },
  { character: '\u0004', name: 'End of transmission' },
]

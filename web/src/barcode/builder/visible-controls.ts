const firstPicture = 0x2400
const pictureOfDelete = '␡'

/** Control characters as their pictures, which an input can show: ␍ for a carriage return. */
export const withPictures = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    .replace(/[\u0000-\u001f]/g, (character) => String.fromCharCode(firstPicture + character.charCodeAt(0)))
    .replace(/\u007f/g, pictureOfDelete)

/** The reverse. A picture itself cannot be sent to a reader. */
export const withoutPictures = (text: string): string =>
  text
    .replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - firstPicture))
    .replaceAll(pictureOfDelete, '\u007f')

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

const firstPicture = 0x2400
const pictureOfDelete = '␡'

/** A text as it can stand in an input: its control characters as the pictures of them, such as ␍ for a carriage return. */
export const withPictures = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    .replace(/[\u0000-\u001f]/g, (character) => String.fromCharCode(firstPicture + character.charCodeAt(0)))
    .replace(/\u007f/g, pictureOfDelete)

/** The text that such an input means. No picture could be sent to a reader, so none is ever meant itself. */
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

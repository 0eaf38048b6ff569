import { decodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { decodeFile } from '@lectern/contract/text/decode-file.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { parseCommandText } from './configuration-text.ts'
import { NoConnection } from './no-connection.ts'
import { openPdf, pixelsOfPage } from './read/pdf-pages.ts'
import { readPixels } from './read/picture.ts'
import { readSheet, type SheetSymbols } from './symbol-reader.ts'

export interface FileContent {
  parts: string[][]
  /** For a PDF: the page that was read, and how many there are. */
  page?: { number: number; count: number }
  /** Why no configuration was found on the page, where another may have one, or what was found beside the parts and could not be read. */
  problem?: string
}

/** How many pages of a PDF are searched for the first configuration. */
const pagesSearched = 20

/**
 * Reads a picture, a PDF or a text. For a PDF, reads page `page`, or the first with a configuration. Throws an Error with a sentence where
 * it cannot be read.
 */
export async function readConfigurationFile(file: File, page?: number): Promise<FileContent> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (startsWith(bytes, '%PDF')) return readPdf(file.name, bytes.buffer, page)
  const symbols = await readPicture(file)
  if (symbols) {
    const found = findParts(symbols, `in ${file.name}`)
    if (found.parts.length === 0) throw new Error(found.problem)
    return found
  }
  if (file.type.startsWith('image/'))
    throw new Error(`${file.name} cannot be read: it is not a picture that this browser can show, or it is damaged.`)
  return { parts: readText(file.name, bytes) }
}

/** A code on transparent ground may be black, for white paper, or white, for black paper. Returns null for a file that is no picture. */
async function readPicture(file: File): Promise<SheetSymbols | null> {
  const pixels = await pixelsOfFile(file, '#fff')
  if (!pixels) return null
  const found = await readSheet(pixels)
  if (found.symbols.length > 0) return found
  const onBlack = await pixelsOfFile(file, '#000')
  return onBlack ? readSheet(onBlack) : found
}

async function pixelsOfFile(file: File, paper: string): Promise<ImageData | null> {
  const url = URL.createObjectURL(file)
  try {
    return await readPixels(url, { paper })
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}

async function readPdf(name: string, data: ArrayBuffer, chosen?: number): Promise<FileContent> {
  const pdf = await openPdf(data).catch((error) => {
    // The library loads its worker by itself, so a lost connection is not a NoConnection yet.
    if (error instanceof NoConnection || !navigator.onLine) throw new NoConnection('No connection.')
    throw new Error(`${name} cannot be read: it is damaged, or it needs a password.`)
  })
  try {
    const count = pdf.numPages
    const last = chosen ?? Math.min(count, pagesSearched)
    let without: Pick<FileContent, 'page' | 'problem'> | undefined
    for (let number = chosen ?? 1; number <= last; number++) {
      const sheet = await readSheet(await pixelsOfPage(pdf, number))
      const found = findParts(sheet, `on page ${number} of ${name}`)
      if (found.parts.length > 0) return { ...found, page: { number, count } }
      if (sheet.symbols.length > 0 || number === chosen) without ??= { page: { number, count }, problem: found.problem }
    }
    const searched = count > last ? `on the first ${last} pages of ${name}` : `in ${name}`
    return { parts: [], ...(without ?? { page: { number: last, count }, problem: nothingFound(searched) }) }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Returns the configurations among symbols, each once, and a sentence about symbols that hold none or cannot be read. */
function findParts({ symbols, damaged }: SheetSymbols, place: string): Omit<FileContent, 'page'> {
  const decoded = symbols.map(decodePayload)
  const different = new Map(decoded.flatMap((one) => ('problem' in one ? [] : [[one.commands.join('\n'), one.commands] as const])))
  const parts = [...different.values()]
  const refused = decoded.find((one) => 'problem' in one)
  if (parts.length === 0) {
    if (!refused) return { parts, problem: nothingFound(place) }
    return { parts, problem: `The barcode ${place} holds no configuration that can be read. ${refused.problem}` }
  }
  const unread = damaged + decoded.filter((one) => 'problem' in one).length
  if (unread === 0) return { parts }
  return { parts, problem: `${counted(unread, 'more barcode')} ${place} cannot be read, so a part of the configuration may be missing.` }
}

const nothingFound = (place: string): string =>
  `No QR code was found ${place}. Use a sharp picture from straight above, with the white border around the code.`

function readText(name: string, bytes: Uint8Array): string[][] {
  const decoded = decodeFile(bytes)
  // The content of a barcode has control characters, so text is decoded more loosely.
  const text = decoded?.encoding === 'UTF-16' || (isText(bytes) && !startsWith(bytes, '\x01Y')) ? decoded?.text : undefined
  const found = parseCommandText(text ?? latin1(bytes))
  if (text === undefined && (!found || 'problem' in found)) throw new Error(`${name} cannot be read: it is not a picture, a PDF or a text.`)
  if (!found) throw new Error(`${name} is empty.`)
  if ('problem' in found) throw new Error(`${name}: ${found.problem}`)
  return found.parts
}

const startsWith = (bytes: Uint8Array, text: string): boolean => latin1(bytes.subarray(0, text.length)) === text

const isText = (bytes: Uint8Array): boolean => bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)

const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

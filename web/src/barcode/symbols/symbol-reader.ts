import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { loadPart } from './no-connection.ts'

type ReadBarcodes = typeof import('zxing-wasm/reader')['readBarcodes']

let reader: ReadBarcodes | undefined

async function loadReader(): Promise<ReadBarcodes> {
  const [{ prepareZXingModule, readBarcodes }, wasmBinary] = await loadPart(() =>
    Promise.all([import('zxing-wasm/reader'), fetchProgram()]),
  )
  // Otherwise the library fetches its program from another server, and does not try again where that fails.
  prepareZXingModule({ overrides: { wasmBinary } })
  return readBarcodes
}

async function fetchProgram(): Promise<ArrayBuffer> {
  const response = await fetch(wasmUrl)
  if (!response.ok) throw new Error(`${wasmUrl} is answered with ${response.status}.`)
  return response.arrayBuffer()
}

export interface SheetSymbols {
  symbols: Uint8Array[]
  /** How many more are there that cannot be decoded. */
  damaged: number
}

/**
 * Reads every QR symbol in a picture, in reading order: row by row.
 * @throws NoConnection where the reading part cannot be loaded
 */
export async function readSheet(picture: Blob | ImageData): Promise<SheetSymbols> {
  reader ??= await loadReader()
  const found = await reader(picture, { formats: ['QRCode'], maxNumberOfSymbols: 100, returnErrors: true })
  const placed = found.map(({ bytes, isValid, position: { topLeft, topRight, bottomLeft, bottomRight } }) => {
    const corners = [topLeft, topRight, bottomLeft, bottomRight]
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
    return { bytes, isValid, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
  })
  const read = placed.filter(({ isValid }) => isValid)
  // The library may report one damaged symbol several times.
  const damaged: Box[] = []
  for (const one of placed) if (!one.isValid && ![...read, ...damaged].some((other) => overlap(one, other))) damaged.push(one)
  return {
    symbols: read.toSorted((a, b) => (areInOneRow(a, b) ? a.left - b.left : a.top - b.top)).map(({ bytes }) => bytes),
    damaged: damaged.length,
  }
}

export const readSymbols = async (picture: Blob | ImageData): Promise<Uint8Array[]> => (await readSheet(picture)).symbols

interface Box extends Band {
  left: number
  right: number
}

const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

interface Band {
  top: number
  bottom: number
}

const areInOneRow = (a: Band, b: Band): boolean => {
  const [middleOfA, middleOfB] = [(a.top + a.bottom) / 2, (b.top + b.bottom) / 2]
  return middleOfA > b.top && middleOfA < b.bottom && middleOfB > a.top && middleOfB < a.bottom
}

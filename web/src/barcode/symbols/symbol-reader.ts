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

/**
 * Reads every QR symbol in a picture, in reading order: row by row.
 * @throws NoConnection where the reading part cannot be loaded
 */
export async function readSymbols(picture: Blob | ImageData): Promise<Uint8Array[]> {
  reader ??= await loadReader()
  const found = (await reader(picture, { formats: ['QRCode'], maxNumberOfSymbols: 100 })).filter(({ isValid }) => isValid)
  const placed = found.map(({ bytes, position: { topLeft, topRight, bottomLeft, bottomRight } }) => {
    const corners = [topLeft, topRight, bottomLeft, bottomRight]
    const ys = corners.map(({ y }) => y)
    return { bytes, left: Math.min(...corners.map(({ x }) => x)), top: Math.min(...ys), bottom: Math.max(...ys) }
  })
  return placed.toSorted((a, b) => (areInOneRow(a, b) ? a.left - b.left : a.top - b.top)).map(({ bytes }) => bytes)
}

interface Band {
  top: number
  bottom: number
}

const areInOneRow = (a: Band, b: Band): boolean => {
  const [middleOfA, middleOfB] = [(a.top + a.bottom) / 2, (b.top + b.bottom) / 2]
  return middleOfA > b.top && middleOfA < b.bottom && middleOfB > a.top && middleOfB < a.bottom
}

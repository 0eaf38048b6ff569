import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

async function loadReader() {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader')
  // By default the library fetches its program from another server.
  prepareZXingModule({ overrides: { locateFile: () => wasmUrl } })
  return readBarcodes
}

/** The content of every QR symbol in a picture, in the order in which a person reads: row by row. */
export async function readSymbols(picture: Blob | ImageData): Promise<Uint8Array[]> {
  const readBarcodes = await loadReader()
  const found = (await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: 100 })).filter(({ isValid }) => isValid)
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

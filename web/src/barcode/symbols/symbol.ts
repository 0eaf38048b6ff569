import { encodePayload, type Payload } from '@lectern/contract/barcode/configuration-payload.ts'
import { findRuns, quietModules, symbolSize } from '@lectern/contract/barcode/symbol.ts'
import { encode } from 'uqr'

/** 76 mm with the margin, at 8 dots per millimetre: a printer of 203 dpi. */
const printedDots = 76 * 8

export interface ConfigurationSymbol {
  bytes: Uint8Array
  /** Row by row; true is dark; without the margin. */
  modules: boolean[][]
}

/** In whole px or dots. `side`: of the field. `module`: of a module. `offset`: from the edge to the first module. */
export interface Placement {
  side: number
  module: number
  offset: number
}

/** Encodes a payload: QR Code, byte mode, exactly error correction L (spec §9). Throws an Error with the `payloadProblem`. */
export function encodeSymbol(payload: Payload): ConfigurationSymbol {
  const bytes = encodePayload(payload)
  return { bytes, modules: encode([...bytes], { ecc: 'L', boostEcc: false, border: 0 }).data }
}

/** The specified size. Modules are as large as whole px allow, at least 2 px. */
export const placeInPicture = ({ bytes, modules }: ConfigurationSymbol): Placement =>
  placed(modules.length, symbolSize(bytes.length, { caption: false }).width)

/** 76 mm in whole dots, so that a printer of 203 dpi draws all modules alike. The smallest module has 3 dots, or 0.375 mm. */
export const placeOnPaper = ({ modules }: ConfigurationSymbol): Placement => placed(modules.length, printedDots)

function placed(count: number, side: number): Placement {
  const module = Math.floor(side / (count + 2 * quietModules))
  return { side, module, offset: Math.floor((side - count * module) / 2) }
}

export function symbolPath({ modules }: ConfigurationSymbol, { module, offset }: Placement): string {
  return findRuns(modules)
    .map(({ x, y, width }) => `M${offset + x * module} ${offset + y * module}h${width * module}v${module}h${-width * module}z`)
    .join('')
}

/** The symbol as RGBA pixels, dark on white, with white below it up to `height`. */
export function drawPixels({ modules }: ConfigurationSymbol, { side, module, offset }: Placement, height = side): ImageDataArray {
  const pixels = new Uint8ClampedArray(side * height * 4).fill(255)
  const colours = new Uint32Array(pixels.buffer)
  const [black] = new Uint32Array(Uint8Array.of(0, 0, 0, 255).buffer)
  for (const { x, y, width } of findRuns(modules))
    for (let row = 0; row < module; row++) {
      const begin = (offset + y * module + row) * side + offset + x * module
      colours.fill(black!, begin, begin + width * module)
    }
  return pixels
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { encodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { decode } from 'fast-png'
import jsqr from 'jsqr'
import type { Download } from 'playwright-core'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { downloadedBytes } from './downloaded.ts'

const jsQR = jsqr.default

export interface Pixels {
  data: Uint8ClampedArray
  width: number
  height: number
}

/** The bytes of the only QR symbol in a picture, read by another program than the app's. */
export const bytesIn = ({ data, width, height }: Pixels): number[] | undefined =>
  jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.binaryData

/** Format and text of every barcode in a picture, as a reader that tries hard sees them. */
export async function listBarcodes({ data, width, height }: Pixels): Promise<{ format: string; text: string }[]> {
  const wasmBinary = new Uint8Array(await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))).buffer
  prepareZXingModule({ overrides: { wasmBinary } })
  const found = await readBarcodes({ data, width, height } as ImageData, { tryHarder: true, maxNumberOfSymbols: 100 })
  return found.filter(({ isValid }) => isValid).map(({ format, text }) => ({ format, text }))
}

/** Where the QR symbol in a picture begins and ends, in px from the left. */
export function cornersIn({ data, width, height }: Pixels): { left: number; right: number } | undefined {
  const location = jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.location
  return location && { left: location.topLeftCorner.x, right: location.topRightCorner.x }
}

/** The pixels of a downloaded PNG. */
export async function pixelsOfPng(download: Download): Promise<Pixels> {
  const { data, width, height, channels } = decode(await downloadedBytes(download))
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let index = 0; index < width * height; index++)
    for (let channel = 0; channel < Math.min(channels, 3); channel++) pixels[index * 4 + channel] = data[index * channels + channel] ?? 0
  return { data: pixels, width, height }
}

/** The bytes of the symbol for a list of commands. */
export const toBytes = (commands: readonly string[]): number[] => [...encodePayload({ commands: [...commands], reset: false })]

/** The address of Print / Save, or of the builder. */
export const sheetPath = (device: string, config: unknown, page = '/success'): string =>
  `/codedm/create-configuration/${device}${page}?${new URLSearchParams({ config: typeof config === 'string' ? config : JSON.stringify(config) })}`

import { symbolSize } from '@lectern/contract/barcode/symbol.ts'
import { type ConfigurationSymbol, drawPixels, placeInPicture } from '../symbol.ts'

const family = '"Atkinson Hyperlegible Next Variable", sans-serif'
const captionSize = 18

/** Returns a canvas to draw on. Throws where the browser gives none (spec §8). */
export function canvasContext(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser gives no canvas to draw on.')
  return context
}

/** Draws a symbol with its caption as a PNG of the specified size (spec §9). */
export async function drawPicture(symbol: ConfigurationSymbol, caption: string): Promise<Blob> {
  const { width, height } = symbolSize(symbol.bytes.length, { caption: true })
  const context = canvasContext(width, height)
  context.putImageData(new ImageData(drawPixels(symbol, placeInPicture(symbol), height), width, height), 0, 0)
  // If the font does not load, the caption is drawn in another.
  await document.fonts.load(`${captionSize}px ${family}`).catch(() => [])
  context.font = `${captionSize}px ${family}`
  context.fillStyle = '#000'
  context.textAlign = 'center'
  context.fillText(caption, width / 2, width + captionSize, width - 2 * captionSize)
  return new Promise((resolve, reject) => {
    context.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png')
  })
}

/**
 * Returns the pixels of a picture that the browser can show, scaled down where it has more than `most`.
 * @param paper the colour of transparent pixels
 */
export async function readPixels(url: string, { most = 24_000_000, paper = '#fff' } = {}): Promise<ImageData> {
  const image = new Image()
  image.src = url
  await image.decode()
  const scale = Math.min(1, Math.sqrt(most / (image.naturalWidth * image.naturalHeight)))
  const [width, height] = [Math.round(image.naturalWidth * scale), Math.round(image.naturalHeight * scale)]
  const context = canvasContext(width, height)
  context.fillStyle = paper
  context.fillRect(0, 0, width, height)
  context.drawImage(image, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}

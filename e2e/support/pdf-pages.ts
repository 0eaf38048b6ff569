import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Pixels } from './symbol-reading.ts'

/** A PDF's pages as pictures of so many dots per inch, and the text of each. */
export async function renderPages(pdf: Uint8Array, resolution: number): Promise<(Pixels & { text: string })[]> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const pages = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const viewport = page.getViewport({ scale: resolution / 72 })
    const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)]
    const canvas = document.canvasFactory as { create(width: number, height: number): { context: CanvasRenderingContext2D } }
    const { context } = canvas.create(width, height)
    await page.render({ canvas: null, canvasContext: context, viewport }).promise
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
    pages.push({ data: context.getImageData(0, 0, width, height).data, width, height, text })
  }
  await document.loadingTask.destroy()
  return pages
}

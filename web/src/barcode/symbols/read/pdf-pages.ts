import type { PDFDocumentProxy } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import jbig2Url from 'pdfjs-dist/wasm/jbig2.wasm?url'
import openjpegUrl from 'pdfjs-dist/wasm/openjpeg.wasm?url'
import { loadPart } from '../no-connection.ts'
import { canvasContext } from './picture.ts'

/** Dots per inch that a page is drawn with: 4 px for the smallest module of our own sheets. */
const resolution = 300

// Decoders of scanned pages, served by ourselves under names that the library does not know.
const decoders: Record<string, string> = { 'jbig2.wasm': jbig2Url, 'openjpeg.wasm': openjpegUrl }

class OwnFiles {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = decoders[filename]
    if (!url) throw new Error(`There is no ${filename} here.`)
    return new Uint8Array(await (await fetch(url)).arrayBuffer())
  }
}

/** Opens a PDF, and loads what it takes to read one. The caller ends it with `loadingTask.destroy()`. */
export async function openPdf(data: ArrayBuffer): Promise<PDFDocumentProxy> {
  const { getDocument, GlobalWorkerOptions } = await loadPart(() => import('pdfjs-dist'))
  GlobalWorkerOptions.workerSrc = workerUrl
  return getDocument({ data, disableFontFace: true, useWorkerFetch: false, BinaryDataFactory: OwnFiles, wasmUrl: '/' }).promise
}

export async function pixelsOfPage(pdf: PDFDocumentProxy, number: number): Promise<ImageData> {
  const page = await pdf.getPage(number)
  const viewport = page.getViewport({ scale: resolution / 72 })
  const context = canvasContext(Math.ceil(viewport.width), Math.ceil(viewport.height))
  await page.render({ canvas: context.canvas, canvasContext: context, viewport }).promise
  return context.getImageData(0, 0, context.canvas.width, context.canvas.height)
}

import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { encodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { describe } from '@lectern/contract/barcode/selection.ts'
import { readSelection } from '@lectern/contract/barcode/selection-reading.ts'
import type { GoCode } from '@lectern/contract/gocode.ts'
import { drawSymbol, endPdf, type PdfFrame, pdfFonts, sideInDots, startPdf } from '../lib/pdf.ts'
import { renderPng, renderSvg } from '../lib/symbol.ts'

/** Points (76 mm), margin included. A long configuration takes more. */
const symbolSide = 215
/** 0.6 mm, as the vendor's own sheets have it. */
const leastDots = 7

/** Draws the symbol in the format that is asked for; for `payload`, returns the bytes alone. */
export async function drawGoCode(goCode: GoCode, catalogue: Catalogue, author: string): Promise<Uint8Array> {
  const payload = encodePayload(goCode)
  if (goCode.format === 'png') return renderPng(payload)
  if (goCode.format === 'svg') return Buffer.from(renderSvg(payload, goCode.caption))
  return buffer(renderPage(goCode, payload, catalogue, author))
}

function renderPage({ device, commands, reset, caption }: GoCode, payload: Uint8Array, catalogue: Catalogue, author: string): Readable {
  const frame: PdfFrame = { title: caption || 'Configuration', subject: device, author, date: new Date(0) }
  const pdf = startPdf(frame)
  drawSymbol(pdf, payload, { side: sideInDots(payload, symbolSide, leastDots), label: `Configuration barcode for the ${device}` })
  const { selection, unknown } = readSelection(catalogue, device, commands)
  const lines = describe(catalogue, device, selection).map(({ label, value }) => `${label}: ${value}`)
  pdf.font(pdfFonts.text).fontSize(10)
  pdf.list([...(reset ? ['Reset (CFR) First'] : []), ...lines, ...unknown], { listType: 'numbered' })
  return endPdf(pdf, frame) as unknown as Readable
}

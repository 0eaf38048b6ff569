import { Readable } from 'node:stream'
import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { encodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { describe } from '@lectern/contract/barcode/selection.ts'
import { readSelection } from '@lectern/contract/barcode/selection-reading.ts'
import type { GoCode, GoCodeFormat } from '@lectern/contract/gocode.ts'
import type { Streamed } from '../lib/http/serve.ts'
import { drawSymbol, endPdf, type PdfFrame, pdfFonts, startPdf } from '../lib/pdf.ts'
import { renderPng, renderSvg } from '../lib/symbol.ts'

const contentTypes: Record<GoCodeFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  payload: 'application/octet-stream',
}

/** Points (76 mm), with the margin. */
const symbolSide = 215

export function makeGoCode(goCode: GoCode, catalogue: Catalogue, author: string): Streamed {
  const { format, caption } = goCode
  const payload = encodePayload(goCode)
  const headers = { 'content-type': contentTypes[format], 'content-disposition': `attachment; filename="config.${format}"` }
  switch (format) {
    case 'png':
      return { headers, stream: Readable.from([renderPng(payload)]) }
    case 'svg':
      return { headers, stream: Readable.from([renderSvg(payload, caption)]) }
    case 'pdf':
      return { headers, stream: renderPage(goCode, payload, catalogue, author) }
    default:
      return { headers, stream: Readable.from([payload]) }
  }
}

function renderPage({ device, commands, reset, caption }: GoCode, payload: Uint8Array, catalogue: Catalogue, author: string): Readable {
  const frame: PdfFrame = { title: caption || 'Configuration', subject: device, author, date: new Date(0) }
  const pdf = startPdf(frame)
  drawSymbol(pdf, payload, { side: symbolSide, label: `Configuration barcode for the ${device}` })
  const { selection, unknown } = readSelection(catalogue, device, commands)
  const lines = describe(catalogue, device, selection).map(({ label, value }) => `${label}: ${value}`)
  pdf.font(pdfFonts.text).fontSize(10)
  pdf.list([...(reset ? ['Reset (CFR) First'] : []), ...lines, ...unknown], { listType: 'numbered' })
  return endPdf(pdf, frame) as unknown as Readable
}

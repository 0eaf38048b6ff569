import { findRuns, quietModules } from '@lectern/contract/barcode/symbol.ts'
import PDFDocument from 'pdfkit'
import type { Brand } from './brands.ts'
import { encodeModules } from './symbol.ts'

export interface PdfFrame {
  title: string
  subject: string
  author: string
  /** The date of the text: a document always has the same bytes. */
  date: Date
  brand?: Pick<Brand, 'logo' | 'colour'>
}

export type Pdf = PDFKit.PDFDocument

export const pdfFonts = { text: 'Helvetica', bold: 'Helvetica-Bold', mono: 'Courier' } as const
export const pdfColors = { ink: '#151a20', quiet: '#5b6169', rule: '#d8dadd', well: '#f3f5f6' } as const

const margins = { top: 64, bottom: 80, left: 64, right: 64 }

export function startPdf({ title, subject, author, date, brand }: PdfFrame): Pdf {
  const pdf = new PDFDocument({
    size: 'A4',
    margins,
    bufferPages: true,
    lang: 'en',
    tagged: true,
    displayTitle: true,
    info: { Title: title, Subject: subject, Author: author, Creator: 'Lectern', Producer: 'Lectern', CreationDate: date, ModDate: date },
  })
  if (brand?.logo) pdf.addStructure(pdf.struct('Figure', { alt: author }, () => void pdf.image(brand.logo!, { fit: [200, 40] }).moveDown()))
  addElement(pdf, 'P', () =>
    pdf.font(pdfFonts.text).fontSize(10).fillColor(pdfColors.quiet).text(toPrintable(subject), { paragraphGap: 4 }),
  )
  addElement(pdf, 'H1', () =>
    pdf
      .font(pdfFonts.bold)
      .fontSize(24)
      .fillColor(brand?.colour ?? pdfColors.ink)
      .text(toPrintable(title), { paragraphGap: 6 }),
  )
  drawRule(pdf, pdf.y)
  pdf.moveDown()
  return pdf
}

export function addElement(pdf: Pdf, type: string, draw: () => unknown): void {
  pdf.addStructure(pdf.struct(type, {}, () => void draw()))
}

/** `side` includes the margin. `side` and `at` are in points; without `at` the symbol follows the text. */
export function drawSymbol(pdf: Pdf, payload: Uint8Array, options: { side: number; label: string; at?: { x: number; y: number } }): void {
  const { side, label, at = { x: pdf.page.margins.left, y: pdf.y } } = options
  const modules = encodeModules(payload)
  const size = side / (modules.length + 2 * quietModules)
  const draw = () => {
    pdf.rect(at.x, at.y, side, side).fill('#ffffff')
    for (const { x, y, width } of findRuns(modules))
      pdf.rect(at.x + (x + quietModules) * size, at.y + (y + quietModules) * size, width * size, size)
    pdf.fill('#000000')
  }
  pdf.addStructure(pdf.struct('Figure', { alt: label }, draw))
  if (options.at === undefined) pdf.y += side
}

export function endPdf(pdf: Pdf, { author }: PdfFrame): Pdf {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    const { left, right } = pdf.page.margins
    const y = pdf.page.height - 52
    const width = pdf.page.width - left - right
    // Without this, text in the margin starts another page.
    pdf.page.margins.bottom = 0
    pdf.markContent('Artifact', { type: 'Pagination' })
    drawRule(pdf, y - 8)
    pdf.font(pdfFonts.text).fontSize(9).fillColor(pdfColors.quiet)
    pdf.text(toPrintable(author), left, y, { width: width - 100, height: 12, ellipsis: true })
    pdf.text(`Page ${page + 1} of ${count}`, left, y, { width, align: 'right' })
    pdf.endMarkedContent()
  }
  pdf.end()
  return pdf
}

function drawRule(pdf: Pdf, y: number): void {
  const { left, right } = pdf.page.margins
  pdf
    .moveTo(left, y)
    .lineTo(pdf.page.width - right, y)
    .lineWidth(0.75)
    .strokeColor(pdfColors.rule)
    .stroke()
}

// The built-in fonts have the characters of Windows-1252 only; others become "?".
function toPrintable(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ€]/gu, '?')
}

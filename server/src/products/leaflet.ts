import { addElement, endPdf, type Pdf, type PdfFrame, pdfColors, pdfFonts, startPdf } from '../lib/pdf.ts'
import type { DocumentSection } from './catalogue/entry.ts'
import { leaflets } from './catalogue.ts'

const edition = new Date('2026-11-22T00:00:00Z')

/** @param file one of `leaflets` */
export function drawLeaflet(file: string, author: string): Pdf {
  const { title, about, sections } = leaflets.get(file)!
  const frame: PdfFrame = { title, subject: `${about.title}: ${about.short}`, author, date: edition }
  const pdf = startPdf(frame)
  for (const section of sections) writeSection(pdf, section)
  return endPdf(pdf, frame)
}

function writeSection(pdf: Pdf, { heading, text = [], steps = [], code }: DocumentSection): void {
  // A heading must not be parted from what follows it.
  if (pdf.y > pdf.page.height - pdf.page.margins.bottom - 90) pdf.addPage()
  addElement(pdf, 'H2', () => pdf.font(pdfFonts.bold).fontSize(14).fillColor(pdfColors.ink).text(heading, { paragraphGap: 4 }))
  for (const paragraph of text) {
    addElement(pdf, 'P', () => setPlainText(pdf).text(paragraph, { paragraphGap: 8 }))
  }
  steps.forEach((step, index) => {
    addElement(pdf, 'P', () => writeStep(pdf, index + 1, step))
  })
  if (code !== undefined) addElement(pdf, 'Code', () => writeCode(pdf, code))
  pdf.moveDown(0.8)
}

const setPlainText = (pdf: Pdf) => pdf.font(pdfFonts.text).fontSize(11).fillColor(pdfColors.ink).lineGap(3)

const indent = 20

function writeStep(pdf: Pdf, number: number, step: string): void {
  const { left, right, bottom } = pdf.page.margins
  const width = pdf.page.width - left - right - indent
  if (pdf.y + setPlainText(pdf).heightOfString(step, { width }) > pdf.page.height - bottom) pdf.addPage()
  const { y } = pdf
  pdf.text(`${number}.`, left, y)
  pdf.text(step, left + indent, y, { width, paragraphGap: 6 })
  pdf.x = left
}

function writeCode(pdf: Pdf, code: string): void {
  const { left, right } = pdf.page.margins
  const width = pdf.page.width - left - right
  pdf.font(pdfFonts.mono).fontSize(9.5).lineGap(3)
  const height = pdf.heightOfString(code, { width: width - 2 * indent }) + indent
  const { y } = pdf
  pdf.rect(left, y, width, height).fill(pdfColors.well)
  pdf.fillColor(pdfColors.ink).text(code, left + indent, y + indent / 2, { width: width - 2 * indent })
  pdf.x = left
  pdf.y = y + height
  pdf.moveDown(0.5)
}

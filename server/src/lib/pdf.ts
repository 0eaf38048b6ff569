import { fileURLToPath } from 'node:url'
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
  paper?: Paper
  /** Whether a test looks at its structure by the list of the Matterhorn Protocol: then it says that it is meant to follow PDF/UA. */
  isAccessible?: boolean
}

export type Paper = 'a4' | 'letter'

export type Pdf = PDFKit.PDFDocument

/** They are embedded, as a printer or reader of the file may have none. `any` has a sign for each character of Unicode's first plane. */
const fontFiles = {
  text: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
  mono: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
  any: import.meta.resolve('@fontsource/unifont/files/unifont-latin-400-normal.woff2'),
} as const
export const pdfFonts = { text: 'text', bold: 'bold', mono: 'mono' } as const
export const pdfColors = { ink: '#151a20', quiet: '#5b6169', rule: '#d8dadd', well: '#f3f5f6' } as const

const margins = { top: 64, bottom: 80, left: 64, right: 64 }

/** An open document without text. */
export function openPdf({ title, subject, author, date, paper = 'a4', isAccessible = false }: PdfFrame): Pdf {
  const pdf = new PDFDocument({
    size: paper === 'a4' ? 'A4' : 'LETTER',
    font: fileURLToPath(fontFiles.text),
    pdfVersion: '1.7',
    // No certified checker has looked at it. The types lack it.
    ...(isAccessible && { subset: 'PDF/UA' as never }),
    margins,
    bufferPages: true,
    lang: 'en',
    tagged: true,
    displayTitle: true,
    info: { Title: title, Subject: subject, Author: author, Creator: 'Lectern', Producer: 'Lectern', CreationDate: date, ModDate: date },
  })
  for (const [name, file] of Object.entries(fontFiles)) pdf.registerFont(name, fileURLToPath(file))
  return pdf
}

export function startPdf(frame: PdfFrame): Pdf {
  const { title, subject, author, brand } = frame
  const pdf = openPdf(frame)
  if (brand?.logo) pdf.addStructure(pdf.struct('Figure', { alt: author }, () => void pdf.image(brand.logo!, { fit: [200, 40] }).moveDown()))
  addElement(pdf, 'P', () => setFontFor(pdf, subject).fontSize(10).fillColor(pdfColors.quiet).text(subject, { paragraphGap: 4 }))
  addElement(pdf, 'H1', () =>
    setFontFor(pdf, title, pdfFonts.bold)
      .fontSize(24)
      .fillColor(brand?.colour ?? pdfColors.ink)
      .text(title, { paragraphGap: 6 }),
  )
  pdf.markContent('Artifact', { type: 'Layout' })
  drawRule(pdf, pdf.y)
  pdf.endMarkedContent()
  pdf.moveDown()
  return pdf
}

/** Sets a font that has every character of a text that people give: the preferred one, else the one for any script. */
export function setFontFor(pdf: Pdf, text: string, preferred: keyof typeof pdfFonts = 'text'): Pdf {
  pdf.font(preferred)
  const { font } = (pdf as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })._font
  const hasAll = [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0)!))
  return hasAll ? pdf : pdf.font('any')
}

export function addElement(pdf: Pdf, type: string, draw: () => unknown): void {
  pdf.addStructure(pdf.struct(type, {}, () => void draw()))
}

/** Points. A dot of a printer of 300 dpi, which is two of one of 600 dpi. */
const dot = 72 / 300

/**
 * The side of a symbol with its margin, in points, of at most `most`. Its modules are whole dots, so that each prints alike, and never under
 * `leastDots`, even where that is more than `most`.
 */
export function sideInDots(payload: Uint8Array, most: number, leastDots = 1): number {
  const count = encodeModules(payload).length + 2 * quietModules
  return count * dot * Math.max(leastDots, Math.floor(most / count / dot))
}

/** `side`, from `sideInDots`, includes the margin. `side` and `at` are in points; without `at` the symbol follows the text. */
export function drawSymbol(pdf: Pdf, payload: Uint8Array, options: { side: number; label: string; at?: { x: number; y: number } }): void {
  const { side, label, at = { x: pdf.page.margins.left, y: pdf.y } } = options
  const modules = encodeModules(payload)
  const size = side / (modules.length + 2 * quietModules)
  // Printers count dots from the corner below left.
  const left = Math.round(at.x / dot) * dot
  const top = pdf.page.height - Math.round((pdf.page.height - at.y) / dot) * dot
  const draw = () => {
    pdf.rect(left, top, side, side).fill('#ffffff')
    for (const { x, y, width } of findRuns(modules))
      pdf.rect(left + (x + quietModules) * size, top + (y + quietModules) * size, width * size, size)
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
    setFontFor(pdf, author).text(author, left, y, { width: width - 100, height: 12, ellipsis: true })
    pdf.font(pdfFonts.text).text(`Page ${page + 1} of ${count}`, left, y, { width, align: 'right' })
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

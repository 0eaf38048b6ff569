import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { encodePayload, payloadProblem } from '@lectern/contract/barcode/configuration-payload.ts'
import { evidenceWords, formatInferred } from '@lectern/contract/barcode/evidence-words.ts'
import type { BarcodeSetting } from '@lectern/contract/barcode-settings/barcode-settings.ts'
import { evidences } from '@lectern/contract/devices/evidence.ts'
import type { Brand } from '../lib/brands.ts'
import { addElement, drawSymbol, endPdf, type Paper, type Pdf, pdfColors, pdfFonts, setFontFor, sideInDots, startPdf } from '../lib/pdf.ts'
import type { SettingCategory } from './settings.ts'

const columns = 3
/** The most, in points. With its margin a symbol prints at 0.6 mm per module or more. */
export const symbolSide = 108
const cell = { height: 164, gap: 12 }
const headingHeight = { category: 34, group: 24 }
const edition = new Date('2026-11-28T00:00:00Z')

interface Look {
  paper: Paper
  /** With a cover and contents. */
  isGuide: boolean
}

interface Section {
  title: string
  /** Null where it is alone in its category. */
  group: string | null
  settings: BarcodeSetting[]
}

export function createSettingsReport(device: string, categories: readonly SettingCategory[], brand: Brand, look: Look): Readable {
  const pages = new Map<string, number>()
  // The first drawing, without symbols, finds the pages that the contents of the second name.
  if (look.isGuide) drawReport(device, categories, brand, look, pages).resume()
  return drawReport(device, categories, brand, look, pages)
}

/** @param pages of titles, counted from 1: read for the contents, and set */
function drawReport(
  device: string,
  categories: readonly SettingCategory[],
  brand: Brand,
  look: Look,
  pages: Map<string, number>,
): Readable {
  const about = { title: `${device} settings guide`, subject: brand.name, author: brand.name, date: edition }
  const frame = { ...about, brand, paper: look.paper, isAccessible: look.isGuide }
  const pdf = startPdf(frame)
  if (look.isGuide) writeEdition(pdf, device, categories, brand, look)
  addElement(pdf, 'P', () =>
    setText(pdf, 11).text(
      'Scan a barcode to change the setting. The reader saves it at once. A dot marks the factory default, where it is known.',
      {
        paragraphGap: 10,
      },
    ),
  )
  writeEvidence(pdf, categories)
  if (look.isGuide) {
    writeContents(pdf, categories, pages)
    pdf.addPage()
  }
  const isDraft = look.isGuide && pages.size === 0
  for (const category of categories) writeCategory(pdf, category, { brand, pages, isDraft })
  return endPdf(pdf, frame) as unknown as Readable
}

/** The number is of the content and the paper: two guides with one number have the same text on the same pages. */
function writeEdition(pdf: Pdf, device: string, categories: readonly SettingCategory[], brand: Brand, { paper }: Look): void {
  const digest = createHash('sha256')
    .update(JSON.stringify([edition, device, categories, brand.name, paper]))
    .digest('hex')
    .slice(0, 8)
    .toUpperCase()
  const date = edition.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  const count = categories.reduce((sum, { settings }) => sum + settings.length, 0)
  for (const line of [`Edition of ${date}`, `Document ${device}-${digest}`, `${count} setting barcodes for the ${device}`])
    addElement(pdf, 'P', () => setText(pdf, 11).text(line, { paragraphGap: 3 }))
  pdf.moveDown()
}

function writeEvidence(pdf: Pdf, categories: readonly SettingCategory[]): void {
  const known = categories.flatMap(({ settings }) => settings.flatMap(({ evidence }) => evidence ?? []))
  for (const evidence of evidences.filter((one) => known.includes(one))) {
    const { word, sentence } = evidenceWords[evidence]
    addElement(pdf, 'P', () => {
      pdf.font(pdfFonts.bold).fontSize(10).fillColor(pdfColors.ink).text(`${word}: `, { continued: true })
      setText(pdf, 10).text(sentence, { paragraphGap: 2 })
    })
  }
  const warning = formatInferred(known, 'setting')
  if (warning) addElement(pdf, 'P', () => pdf.font(pdfFonts.bold).fontSize(11).fillColor(pdfColors.ink).text(warning, { paragraphGap: 4 }))
  pdf.moveDown()
}

function listSections({ title, settings }: SettingCategory): Section[] {
  const groups = [...Map.groupBy(settings, ({ group }) => group ?? title)]
  return groups.map(([group, own]) => ({ title, group: groups.length > 1 || group !== title ? group : null, settings: own }))
}

const formatPlace = (title: string, group: string | null): string => (group === null ? title : `${title}: ${group}`)

function writeContents(pdf: Pdf, categories: readonly SettingCategory[], pages: ReadonlyMap<string, number>): void {
  pdf.addPage()
  addElement(pdf, 'H2', () => pdf.font(pdfFonts.bold).fontSize(16).fillColor(pdfColors.ink).text('Contents', { paragraphGap: 8 }))
  const list = pdf.struct('TOC')
  pdf.addStructure(list)
  for (const category of categories) {
    writeLine(pdf, list, category.title, pages.get(category.title), 0)
    for (const { title, group } of listSections(category))
      if (group !== null) writeLine(pdf, list, group, pages.get(formatPlace(title, group)), 14)
  }
  list.end()
}

function writeLine(pdf: Pdf, list: PDFKit.PDFStructureElement, title: string, page: number | undefined, indent: number): void {
  if (spaceLeft(pdf) < 18) pdf.addPage()
  const { left, right } = pdf.page.margins
  const width = pdf.page.width - left - right
  const { y } = pdf
  const draw = () => {
    setFontFor(pdf, title, indent === 0 ? 'bold' : 'text')
      .fontSize(10)
      .fillColor(pdfColors.ink)
    pdf.text(`${title} `, left + indent, y, { width: width - indent - 40, height: 14, ellipsis: true })
    pdf.font(pdfFonts.text).text(String(page ?? ''), left, y, { width, align: 'right' })
  }
  list.add(pdf.struct('TOCI', {}, draw))
  pdf.x = left
  pdf.y = y + 16
}

interface Drawing {
  brand: Brand
  pages: Map<string, number>
  isDraft: boolean
}

function writeCategory(pdf: Pdf, category: SettingCategory, drawing: Drawing): void {
  const { brand, pages } = drawing
  // A heading stays with its first row.
  if (spaceLeft(pdf) < headingHeight.category + headingHeight.group + cell.height) pdf.addPage()
  const bookmark = pdf.outline.addItem(category.title)
  pages.set(category.title, pageNumber(pdf))
  addElement(pdf, 'H2', () => pdf.font(pdfFonts.bold).fontSize(16).fillColor(brand.accent).text(category.title, { paragraphGap: 8 }))
  for (const section of listSections(category)) writeSection(pdf, section, bookmark, drawing)
  pdf.moveDown(0.5)
}

function writeSection(pdf: Pdf, { title, group, settings }: Section, bookmark: PDFKit.PDFOutline, { pages, isDraft }: Drawing): void {
  if (group !== null) {
    if (spaceLeft(pdf) < headingHeight.group + cell.height) pdf.addPage()
    bookmark.addItem(group)
    pages.set(formatPlace(title, group), pageNumber(pdf))
    addElement(pdf, 'H3', () => setFontFor(pdf, group, 'bold').fontSize(12).fillColor(pdfColors.ink).text(group, { paragraphGap: 4 }))
  }
  for (let first = 0; first < settings.length; first += columns) {
    if (spaceLeft(pdf) < cell.height) pdf.addPage()
    const { y } = pdf
    settings.slice(first, first + columns).forEach((setting, column) => {
      writeSetting(pdf, setting, { column, y, isDraft })
    })
    pdf.x = pdf.page.margins.left
    pdf.y = y + cell.height
  }
}

function writeSetting(pdf: Pdf, setting: BarcodeSetting, { column, y, isDraft }: { column: number; y: number; isDraft: boolean }): void {
  const { left, right } = pdf.page.margins
  const width = (pdf.page.width - left - right - (columns - 1) * cell.gap) / columns
  const x = left + column * (width + cell.gap)
  const { code, revision, description, sourceString, isDefault, evidence } = setting
  const words = `${isDefault ? '• ' : ''}${description}`
  const payload = { commands: sourceString, reset: false }
  if (!isDraft && payloadProblem(payload) === null) {
    const bytes = encodePayload(payload)
    drawSymbol(pdf, bytes, { side: sideInDots(bytes, symbolSide), label: `${description}: barcode ${code}`, at: { x, y } })
  }
  addElement(pdf, 'P', () => {
    setFontFor(pdf, words, 'bold').fontSize(8.5).fillColor(pdfColors.ink)
    pdf.text(words, x, y + symbolSide + 2, { width, height: 23, ellipsis: true })
    pdf.font(pdfFonts.mono).fontSize(6.5).fillColor(pdfColors.quiet)
    const known = evidence ? `  ${evidenceWords[evidence].word}` : ''
    pdf.text(`${code}_${revision}${known}  ${sourceString.join(' ')}`, x, y + symbolSide + 27, { width, height: 24, ellipsis: true })
  })
}

const pageNumber = (pdf: Pdf): number => pdf.bufferedPageRange().count

const spaceLeft = (pdf: Pdf): number => pdf.page.height - pdf.page.margins.bottom - pdf.y

const setText = (pdf: Pdf, size: number) => pdf.font(pdfFonts.text).fontSize(size).fillColor(pdfColors.ink)

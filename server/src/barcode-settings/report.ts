import type { Readable } from 'node:stream'
import { encodePayload, payloadProblem } from '@lectern/contract/barcode/configuration-payload.ts'
import { evidenceWords, formatInferred } from '@lectern/contract/barcode/evidence-words.ts'
import type { BarcodeSetting } from '@lectern/contract/barcode-settings/barcode-settings.ts'
import { evidences } from '@lectern/contract/devices/evidence.ts'
import type { Brand } from '../lib/brands.ts'
import { addElement, drawSymbol, endPdf, type Pdf, pdfColors, pdfFonts, startPdf } from '../lib/pdf.ts'
import type { SettingCategory } from './settings.ts'

const columns = 3
/** In points. With its margin a symbol prints at 0.6 mm per module or more. */
export const symbolSide = 118
const cell = { height: 178, gap: 12 }
const edition = new Date('2026-11-21T00:00:00Z')

export function createSettingsReport(device: string, categories: readonly SettingCategory[], brand: Brand): Readable {
  const frame = { title: `${device} settings guide`, subject: brand.name, author: brand.name, date: edition, brand }
  const pdf = startPdf(frame)
  addElement(pdf, 'P', () =>
    setText(pdf, 11).text('Scan a barcode to change the setting. The reader saves it at once. A dot marks the default.', {
      paragraphGap: 10,
    }),
  )
  writeEvidence(pdf, categories)
  for (const category of categories) writeCategory(pdf, category, brand)
  return endPdf(pdf, frame) as unknown as Readable
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

function writeCategory(pdf: Pdf, { title, settings }: SettingCategory, brand: Brand): void {
  // A heading stays with its first row.
  if (spaceLeft(pdf) < cell.height + 40) pdf.addPage()
  pdf.outline.addItem(title)
  addElement(pdf, 'H2', () => pdf.font(pdfFonts.bold).fontSize(16).fillColor(brand.accent).text(title, { paragraphGap: 8 }))
  for (let first = 0; first < settings.length; first += columns) {
    if (spaceLeft(pdf) < cell.height) pdf.addPage()
    const { y } = pdf
    settings.slice(first, first + columns).forEach((setting, column) => {
      writeSetting(pdf, setting, column, y)
    })
    pdf.x = pdf.page.margins.left
    pdf.y = y + cell.height
  }
  pdf.moveDown(0.5)
}

function writeSetting(pdf: Pdf, setting: BarcodeSetting, column: number, y: number): void {
  const { left, right } = pdf.page.margins
  const width = (pdf.page.width - left - right - (columns - 1) * cell.gap) / columns
  const x = left + column * (width + cell.gap)
  const { code, revision, description, sourceString, isDefault, evidence } = setting
  const words = `${isDefault ? '• ' : ''}${description}`
  const payload = { commands: sourceString, reset: false }
  if (payloadProblem(payload) === null)
    drawSymbol(pdf, encodePayload(payload), { side: symbolSide, label: `${description}: barcode ${code}`, at: { x, y } })
  addElement(pdf, 'P', () => {
    pdf.font(pdfFonts.bold).fontSize(9).fillColor(pdfColors.ink)
    pdf.text(words, x, y + symbolSide + 2, { width, height: 23, ellipsis: true })
    pdf.font(pdfFonts.mono).fontSize(7).fillColor(pdfColors.quiet)
    const known = evidence ? `  ${evidenceWords[evidence].word}` : ''
    pdf.text(`${code}_${revision}${known}  ${sourceString.join(' ')}`, x, y + symbolSide + 27, { width, height: 24, ellipsis: true })
  })
}

const spaceLeft = (pdf: Pdf): number => pdf.page.height - pdf.page.margins.bottom - pdf.y

const setText = (pdf: Pdf, size: number) => pdf.font(pdfFonts.text).fontSize(size).fillColor(pdfColors.ink)

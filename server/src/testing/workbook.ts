import { strFromU8, unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'

/** `format`: that of numbers; a text or formula has its own. */
interface Cell {
  value: string | number
  format: string
  isFormula: boolean
}

interface SheetRead {
  name: string
  /** Cells by the letter of their column. */
  rows: Record<string, Cell>[]
}

interface Element {
  name: string
  attributes: Record<string, string>
  text: string
}

/** Elements in the order of their ends. Throws where the part is not XML. */
function readElements(xml: string): Element[] {
  const [open, closed]: [Element[], Element[]] = [[], []]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => open.push({ name, attributes, text: '' }))
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => closed.push(open.pop()!))
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return closed
}

/** ST_Xstring of ECMA-376, part 1, 22.9.2.19. */
const decode = (text: string): string =>
  text.replace(/_x([\da-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Reads a workbook as another program would. */
export function readWorkbook(bytes: Uint8Array): SheetRead[] {
  const parts = Object.entries(unzipSync(bytes)).map(([name, part]) => [name, readElements(strFromU8(part))] as const)
  const part = (name: string) => parts.find(([each]) => each === name)![1]
  const types = part('[Content_Types].xml').map(({ attributes }) => attributes.PartName)
  for (const [name] of parts) if (!/\.rels$|^\[/.test(name) && !types.includes(`/${name}`)) throw new Error(`${name} has no content type`)
  const targets = new Map(part('xl/_rels/workbook.xml.rels').map(({ attributes }) => [attributes.Id, attributes.Target]))
  const sheets = part('xl/workbook.xml').filter(({ name }) => name === 'sheet')
  const formats = readFormats(part('xl/styles.xml'))
  return sheets.map(({ attributes }) => ({
    name: attributes.name!,
    rows: readRows(part(`xl/${targets.get(attributes['r:id'])!.replace(/^\/xl\//, '')}`), formats),
  }))
}

function readFormats(styles: Element[]): string[] {
  const codes = new Map(
    styles.flatMap(({ name, attributes }) => (name === 'numFmt' ? [[attributes.numFmtId, attributes.formatCode!] as const] : [])),
  )
  const end = styles.findIndex(({ name }) => name === 'cellXfs')
  const start = styles.findIndex(({ name }) => name === 'cellStyleXfs')
  return styles
    .slice(start < end ? start + 1 : 0, end)
    .filter(({ name }) => name === 'xf')
    .map(({ attributes }) => codes.get(attributes.numFmtId) ?? attributes.numFmtId!)
}

function readRows(elements: Element[], formats: string[]): Record<string, Cell>[] {
  const rows: Record<string, Cell>[] = []
  let row: Record<string, Cell> = {}
  let inside: Element[] = []
  for (const element of elements) {
    if (element.name === 'row') {
      rows[Number(element.attributes.r) - 1] = row
      row = {}
    } else if (element.name === 'c') {
      const text = inside.find(({ name }) => name === (element.attributes.t === 'inlineStr' ? 't' : 'v'))?.text
      const value = text === undefined ? undefined : element.attributes.t === 'inlineStr' ? decode(text) : Number(text)
      const isFormula = inside.some(({ name }) => name === 'f')
      if (value !== undefined)
        row[element.attributes.r!.replace(/\d+$/, '')] = { value, format: formats[Number(element.attributes.s ?? 0)]!, isFormula }
      inside = []
    } else inside.push(element)
  }
  return rows
}

/** A date of the system that begins in 1900. */
export const toDate = (serial: string | number): string => new Date(Math.round((Number(serial) - 25_569) * 86_400_000)).toISOString()

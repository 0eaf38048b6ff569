/** RFC 4180. Throws an Error at a misplaced quote or line break. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y
  let row: string[] = []
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const match = cell.exec(text)
    if (!match) throw new Error(`No CSV at ${JSON.stringify(text.slice(at, at + 20))}`)
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

const formulas = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=HYPERLINK("http://x","y")', "=cmd|' /C calc'!A0", '-', '='],
  ...[' =1', '   +1', '\u00a0=1', '\u3000@x', '\u2009-1', '\ufeff=1', ' \ufeff\t=1', ',=1', ';=1', '|=1', ', =1', '\tx', '\rx'],
  ...['＝1+1', '＋1', '－1', '＠x', ' ＝1'],
]
const harmless = ['a=1', 'A-1', "'=1", ' x', ';x', '1+1', '(=1)', '\u2212 1', '"=1"', 'x\n=1', '\\.']

/** Texts that a spreadsheet would take for formulas, and the cells that files have for them. */
export const hostileCells: readonly { text: string; cell: string }[] = [
  ...formulas.map((text) => ({ text, cell: `'${text}` })),
  ...harmless.map((text) => ({ text, cell: text })),
]

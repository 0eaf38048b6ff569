import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Every file of this folder that a program loads, beginning with its first one. */
function findLoaded(first: string): Set<string> {
  const found = new Set<string>()
  const follow = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    const { module } = parseSync(file, readFileSync(file, 'utf8'))
    for (const { moduleRequest, entries } of module.staticImports)
      if (moduleRequest.value.startsWith('.') && (entries.length === 0 || entries.some(({ isType }) => !isType)))
        follow(resolve(dirname(file), moduleRequest.value))
  }
  follow(fileURLToPath(new URL(first, import.meta.url)))
  return found
}

const drawing = ['./lib/pdf.ts', './lib/symbol.ts', './barcode-settings/report.ts', './gocode/symbol-file.ts', './products/leaflet.ts'].map(
  (file) => fileURLToPath(new URL(file, import.meta.url)),
)

test('[FAI-01] the thread that answers calls has no code that draws, and the one that draws has all of it', () => {
  const [program, thread] = [findLoaded('./main.ts'), findLoaded('./drawing-thread.ts')]
  expect(program.size).toBeGreaterThan(200)
  expect(drawing.filter((file) => program.has(file))).toEqual([])
  expect(drawing.filter((file) => !thread.has(file))).toEqual([])
})

test('[INP-07] nor has it code that writes workbooks', () => {
  const writer = fileURLToPath(new URL('./lib/workbook/write-workbook.ts', import.meta.url))
  expect([findLoaded('./main.ts').has(writer), findLoaded('./lib/workbook/workbook-thread.ts').has(writer)]).toEqual([false, true])
})

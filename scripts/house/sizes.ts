import { findImports, type Import, type Sources } from './imports.ts'
import { parse } from './syntax.ts'

// Nothing here is a limit. `npm run house` prints it, so that these places are read.

/** Longer files are printed. */
const longFile = 300
/** Production functions of more lines are printed; the components and the SQL in them count. */
const longFunction = 60
/** Folders with more files beside each other are printed. */
const fullFolder = 25
/** A file of at most so many lines that only one file imports could be part of that file … */
const smallFile = 60
/** … where that then has at most so many. */
const largestHost = 220

/** Generated, or a table of data. */
const isData = (path: string) => path === 'server/src/lib/database/schema.ts' || path.startsWith('server/src/products/catalogue/')
const isTest = (path: string) =>
  /\.(test|e2e)\.tsx?$/.test(path) || /\/testing\//.test(path) || path.startsWith('e2e/') || path.startsWith('scripts/vitest/')
export const isProduction = (path: string) =>
  /\.(tsx?|mjs)$/.test(path) && !isTest(path) && !isData(path) && !path.startsWith('web/src/ui/sheet/')

const lineCount = (text: string) => text.trimEnd().split('\n').length

/** Files of people's own writing that are long, with their lines. */
export const findLongFiles = (sources: Sources): [path: string, lines: number][] =>
  [...sources]
    .filter(([path]) => !isData(path))
    .map(([path, text]): [string, number] => [path, lineCount(text)])
    .filter(([, lines]) => lines > longFile)

export interface LongFunction {
  path: string
  line: number
  lines: number
}

export function findLongFunctions(sources: Sources): LongFunction[] {
  return [...sources]
    .filter(([path]) => isProduction(path))
    .flatMap(([path, text]) => {
      const functions = parse(path, text)
        .nodes.map(([node]) => node)
        .filter(({ type }) => /Function(Declaration|Expression)$/.test(type))
      return functions
        .map(({ start, end }) => ({ path, line: text.slice(0, start).split('\n').length, lines: lineCount(text.slice(start, end)) }))
        .filter(({ lines }) => lines > longFunction)
    })
}

export interface SmallFile {
  path: string
  /** The one file that imports it. */
  host: string
}

/** A page is a file because it is loaded by itself; these are files by their names. */
const standsByName = (path: string) => /(-page\.tsx|\/(routes|sql|[a-z-]+-sql)\.ts)$/.test(path)
const ownNoun = (path: string) => /\/src\/([^/]+)\/\1\.ts$/.test(path)
/** A noun's folder, or a program's own top. */
const roomOf = (path: string) => /^\w+\/(?:src\/)?(?:[^/]+(?=\/))?/.exec(path)?.[0]

/** Files with only one importer, which could contain them. */
export function findSmallFiles(sources: Sources, imports: Import[] = findImports(sources)): SmallFile[] {
  const readers = new Map<string, Set<string>>()
  // A part that is loaded when needed has to be a file.
  const lazy = new Set(imports.filter(({ isLazy }) => isLazy).map(({ to }) => to))
  for (const { from, to } of imports)
    if (to !== null && isProduction(from) && !lazy.has(to)) readers.set(to, (readers.get(to) ?? new Set()).add(from))
  const lines = (path: string) => lineCount(sources.get(path) ?? '')
  return [...readers].flatMap(([path, from]) => {
    const [host] = from
    const hasTest = [...sources.keys()].some((other) => other.startsWith(path.replace(/\.tsx?$/, '.test.')))
    if (!isProduction(path) || from.size !== 1 || host === undefined || hasTest || standsByName(path) || ownNoun(path)) return []
    if (roomOf(path) !== roomOf(host)) return []
    if (lines(path) > smallFile || lines(path) + lines(host) > largestHost) return []
    return [{ path, host }]
  })
}

/** Folders with more files beside each other than the eye takes in, with their number. */
export function findFullFolders(sources: Sources): [folder: string, files: number][] {
  const counts = new Map<string, number>()
  for (const path of sources.keys()) {
    if (/^e2e\/[^/]+\.e2e\.ts$/.test(path)) continue
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].filter(([, files]) => files > fullFolder)
}

/** The size of a noun in all layers, tests included. */
export function measureNoun(sources: Sources, noun: string): { files: number; lines: number } {
  const isOf = new RegExp(`^(?:(?:contract|server|web)/src/${noun}[./]|e2e/${noun}[.-])`)
  const texts = [...sources].filter(([path]) => isOf.test(path)).map(([, text]) => text)
  return { files: texts.length, lines: texts.reduce((sum, text) => sum + lineCount(text), 0) }
}

export interface CommentShare {
  lines: number
  /** Doc blocks per 1,000 lines. */
  blocks: number
  /** Words in comments of every kind per 1,000 lines. */
  words: number
}

/** How much a program's production code is commented. */
export function measureComments(sources: Sources, program: string): CommentShare {
  const files = [...sources].filter(([path]) => path.startsWith(`${program}/`) && isProduction(path))
  const lines = files.reduce((sum, [, text]) => sum + lineCount(text), 0)
  const comments = files.flatMap(([path, text]) =>
    parse(path, text).comments.map((comment) => ({ ...comment, isDoc: text.startsWith('/**', comment.start) })),
  )
  const words = comments.reduce((sum, { value }) => sum + (value.match(/[\p{L}\d]+(?:[’'-][\p{L}\d]+)*/gu)?.length ?? 0), 0)
  const perThousand = (count: number) => (1_000 * count) / Math.max(1, lines)
  return { lines, blocks: perThousand(comments.filter(({ isDoc }) => isDoc).length), words: perThousand(words) }
}

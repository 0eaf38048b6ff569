import { findImports, type Sources } from './imports.ts'
import { isProduction } from './sizes.ts'

/** Sheets of no single component. */
const globalSheets = new Set(['web/src/styles.css', 'web/src/ui/tokens.css', 'web/src/ui/base.css'])
/** Classes that packages write into the page. */
const foreign = new Set(['lucide'])

const isSheet = (path: string) => path.startsWith('web/src/') && path.endsWith('.css')
/** The page with all components belongs to `ui`. */
const findNoun = (path: string) => (path.startsWith('web/src/components-page.') ? 'ui' : (path.split('/')[2] ?? ''))

/** What breaks docs/decisions/0028, as sentences. */
export function findStraySheets(sources: Sources): string[] {
  const imports = findImports(sources)
  const pages = new Map([...sources].filter(([path]) => path.startsWith('web/src/') && /\.tsx?$/.test(path)))
  const sheets = [...sources].filter(([path]) => isSheet(path) && !globalSheets.has(path))
  const ofUi = new Set(
    [...sources]
      .filter(([path]) => isSheet(path) && (findNoun(path) === 'ui' || globalSheets.has(path)))
      .flatMap(([, text]) => readClasses(text)),
  )
  const used = new Map([...pages].map(([path, text]) => [path, readWords(text)]))
  const isUsed = (name: string) =>
    [...used.values()].some((words) => words.has(name) || listPrefixes(name).some((begin) => words.has(begin)))
  return sheets.flatMap(([path, text]) => {
    const component = path.replace(/\.css$/, '.tsx')
    if (!sources.has(component)) return [`${path}: no component of its name is beside it`]
    const inUi = path.startsWith('web/src/ui/')
    const readers = imports.filter(({ to }) => to === path).map(({ from }) => from)
    const isImported = readers.includes(component) && (inUi || readers.length === 1)
    const classes = readClasses(text).filter((name) => !foreign.has(name))
    return [
      ...(isImported ? [] : [`${path}: imported by ${component}${inUi ? '' : ' only'}`]),
      ...classes.filter((name) => !isUsed(name)).map((name) => `${path}: nothing has the class ${name}`),
      ...classes.flatMap((name) =>
        ofUi.has(name)
          ? []
          : [...pages]
              .filter(([page, source]) => !['ui', findNoun(path)].includes(findNoun(page)) && readClassNames(source).has(name))
              .map(([page]) => `${page}: ${name} is a class of ${findNoun(path)}`),
      ),
    ]
  })
}

/** Components that use a class of a sheet of `ui` that none of their imports has. */
export function findMissingSheets(sources: Sources): string[] {
  const imports = Map.groupBy(
    findImports(sources).filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  )
  const known = new Map<string, Set<string>>()
  const listReached = (path: string): Set<string> => {
    const before = known.get(path)
    if (before) return before
    const reached = new Set<string>()
    known.set(path, reached)
    for (const { to } of imports.get(path) ?? []) if (to !== null) for (const each of [to, ...listReached(to)]) reached.add(each)
    return reached
  }
  const owners = new Map<string, string[]>()
  for (const [path, text] of sources)
    if (isSheet(path) && !globalSheets.has(path) && findNoun(path) === 'ui')
      for (const name of readRootClasses(text)) owners.set(name, [...(owners.get(name) ?? []), path])
  return [...sources]
    .filter(
      ([path]) => path.startsWith('web/src/') && isProduction(path) && path.endsWith('.tsx') && findNoun(path) !== 'components-page.tsx',
    )
    .flatMap(([path, text]) =>
      [...readClassNames(text)].flatMap((name) => {
        const sheets = owners.get(name)
        return sheets && !sheets.some((sheet) => listReached(path).has(sheet)) ? [`${path}: ${name} needs ${sheets.join(' or ')}`] : []
      }),
    )
}

/** The classes of a rule's root, not of what is inside it. */
function readRootClasses(text: string): string[] {
  const selectors = text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/(?:^|[{};])([^{};@]+)\{/g)
  const roots = [...selectors].flatMap(([, list = '']) => list.split(',').map((one) => /^\.([a-z][\w-]*)/i.exec(one.trim())?.[1]))
  return [...new Set(roots.filter((name) => name !== undefined))]
}

function readClasses(text: string): string[] {
  const selectors = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\{[^{}]*\}/g, '{}')
  return [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name ?? ''))]
}

/** `step-$` for `step-done`, as its end may be computed: `step-${state}`. */
const listPrefixes = (name: string) => [...name.matchAll(/-/g)].map(({ index }) => `${name.slice(0, index + 1)}$`)

/** Words of strings and templates: a class that only a name or a comment has is unused. */
const readWords = (text: string) =>
  new Set((text.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? []).flatMap((string) => string.match(/[\w-]+\$?/g) ?? []))

const readClassNames = (text: string) =>
  new Set(
    [...text.matchAll(/className=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(([, plain, code]) => (plain ?? code ?? '').match(/[\w-]+/g) ?? []),
  )

import { findImports, type Sources } from './imports.ts'

/** Of no single component. */
const globalSheets = new Set(['web/src/styles.css', 'web/src/ui/tokens.css', 'web/src/ui/base.css'])
/** Classes that packages write into the page. */
const foreign = new Set(['lucide'])

const isSheet = (path: string) => path.startsWith('web/src/') && path.endsWith('.css')
/** The page of all components belongs to `ui`. */
const findNoun = (path: string) => (path.startsWith('web/src/components-page.') ? 'ui' : (path.split('/')[2] ?? ''))

/** What breaks docs/decisions/0028, as sentences. */
export function findStraySheets(sources: Sources): string[] {
  const imports = findImports(sources)
  const pages = new Map([...sources].filter(([path]) => path.startsWith('web/src/') && /\.tsx?$/.test(path)))
  const styles = sources.get('web/src/styles.css') ?? ''
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
    const isImported = inUi ? styles.includes(`"./${path.slice('web/src/'.length)}"`) && readers.length === 0 : readers.join() === component
    const classes = readClasses(text).filter((name) => !foreign.has(name))
    return [
      ...(isImported ? [] : [`${path}: imported by ${inUi ? 'styles.css' : component} only`]),
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

function readClasses(text: string): string[] {
  const selectors = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\{[^{}]*\}/g, '{}')
  return [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name ?? ''))]
}

/** `step-$` for `step-done`: its end may be computed, as in `step-${state}`. */
const listPrefixes = (name: string) => [...name.matchAll(/-/g)].map(({ index }) => `${name.slice(0, index + 1)}$`)

/** Of strings and templates: a class that only a name or a comment has is dead. */
const readWords = (text: string) =>
  new Set((text.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? []).flatMap((string) => string.match(/[\w-]+\$?/g) ?? []))

const readClassNames = (text: string) =>
  new Set(
    [...text.matchAll(/className=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(([, plain, code]) => (plain ?? code ?? '').match(/[\w-]+/g) ?? []),
  )

import type { Import, Sources } from './imports.ts'
import { type Node, parse } from './syntax.ts'

/** An import that the house rules (CONTRIBUTING, "The house") do not allow. */
export interface Breach {
  rule: string
  from: string
  /** The file or package it must not import; for SQL, how it begins, or the type that it claims. */
  to: string
}

type Rule = [name: string, breaks: (one: Inside) => boolean]
type Inside = Import & { to: string }

const getProgram = (path: string) => path.slice(0, path.indexOf('/'))
const isTest = (path: string) => /\.(test|e2e)\.tsx?$/.test(path) || /\/testing\//.test(path) || path.startsWith('e2e/')

/** The folder in a program's `src` that has a file: a noun, or `lib`, `ui`, …; '' for the program's own top. */
const getFolder = (path: string) => /^\w+\/src\/([^/]+)\//.exec(path)?.[1] ?? ''
const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const isSql = (path: string) => /^(.+-)?sql\.ts$/.test(baseName(path))

const within = (program: string) => (one: Inside) => one.from.startsWith(`${program}/src/`) && one.to.startsWith(`${program}/src/`)
const inServer = within('server')
const inWeb = within('web')

/** Folders that know no noun, with the folders that each may import. */
const serverGround: Record<string, string[]> = { lib: ['lib'], postgres: ['postgres'] }
const webGround: Record<string, string[]> = { lib: ['lib'], ui: ['ui'] }

const isServerNoun = (folder: string) => folder !== '' && folder !== 'testing' && !(folder in serverGround)
const isWebNoun = (folder: string) => folder !== '' && folder !== 'testing' && !(folder in webGround)

const rules: Rule[] = [
  [
    'programs import only the contract',
    ({ from, to }) => {
      const [program, other] = [getProgram(from), getProgram(to)]
      if (program === other || program === 'scripts') return false
      if (other === 'contract') return program === 'idp'
      // The check of the packages makes newer ones, to upgrade to.
      if (from.startsWith('e2e/package/') && to.startsWith('agent/packaging/')) return false
      // The app mounts the identity provider; the identity folder stores its records and accounts.
      if (program === 'server' && other === 'idp')
        return !(from === 'server/src/app.ts' || from.startsWith('server/src/identity/') || isTest(from))
      return true
    },
  ],
  ['only tests import tests', ({ from, to }) => isTest(to) && !isTest(from)],
  ['the lib of the server imports no noun', (one) => inServer(one) && !isTest(one.from) && leavesGround(one, serverGround)],
  ['lib and ui of the web import no noun, ui no lib', (one) => inWeb(one) && !isTest(one.from) && leavesGround(one, webGround)],
  [
    "a server noun calls another noun's <noun>.ts only",
    (one) => {
      const [noun, other] = [getFolder(one.from), getFolder(one.to)]
      return (
        inServer(one) &&
        !isTest(one.from) &&
        isServerNoun(noun) &&
        isServerNoun(other) &&
        noun !== other &&
        // The demo does what its people would do, by the functions of those calls.
        noun !== 'demo' &&
        baseName(one.to) !== `${other}.ts`
      )
    },
  ],
  [
    'routes call rules, rules call SQL, never the other way',
    (one) => {
      const noun = getFolder(one.from)
      if (!inServer(one) || isTest(one.from) || !isServerNoun(noun) || noun !== getFolder(one.to)) return false
      const layers = [isSql, (path: string) => baseName(path) === `${noun}.ts`, (path: string) => baseName(path) === 'routes.ts']
      const [layer, other] = [one.from, one.to].map((path) => layers.findIndex((is) => is(path))) as [number, number]
      return layer !== -1 && other > layer
    },
  ],
  [
    'SQL calls SQL of its noun and lib',
    (one) => {
      const [noun, other] = [getFolder(one.from), getFolder(one.to)]
      if (!inServer(one) || isTest(one.from) || !isSql(one.from) || !isServerNoun(noun)) return false
      return other !== 'lib' && !(other === noun && (isSql(one.to) || one.typeOnly))
    },
  ],
  [
    'handlers.ts alone imports routes',
    (one) => inServer(one) && !isTest(one.from) && baseName(one.to) === 'routes.ts' && one.from !== 'server/src/handlers.ts',
  ],
  ["the server's top leaves SQL to the nouns", (one) => inServer(one) && getFolder(one.from) === '' && isSql(one.to)],
  [
    "nothing imports a program's top but the top itself",
    (one) =>
      (inServer(one) || inWeb(one)) &&
      !isTest(one.from) &&
      getFolder(one.from) !== '' &&
      getFolder(one.to) === '' &&
      one.to !== 'web/src/paths.ts',
  ],
  [
    'lists of a noun are QueryTable or PagedTable',
    // It compares two records that the page has already.
    ({ from, to }) =>
      to === 'web/src/ui/table/table.tsx' &&
      !from.startsWith('web/src/ui/') &&
      !isTest(from) &&
      from !== 'web/src/library/option-comparison.tsx',
  ],
  [
    "a web noun shows another noun's component, and takes nothing else",
    (one) => {
      const [noun, other] = [getFolder(one.from), getFolder(one.to)]
      const component = one.to.endsWith('.tsx') && !one.to.endsWith('-page.tsx')
      return inWeb(one) && !isTest(one.from) && isWebNoun(noun) && isWebNoun(other) && noun !== other && !component
    },
  ],
]

function leavesGround({ from, to }: Inside, ground: Record<string, string[]>): boolean {
  const allowed = ground[getFolder(from)]
  return allowed !== undefined && !allowed.includes(getFolder(to))
}

/** All breaches of the rules, in the order of the files. */
export function findBreaches(imports: Import[]): Breach[] {
  const inside = imports.filter((one): one is Inside => one.to !== null)
  return [
    ...inside.flatMap((one) => rules.filter(([, breaks]) => breaks(one)).map(([rule]) => ({ rule, from: one.from, to: one.to }))),
    ...imports.filter(isAlias).map(({ from, specifier }) => ({ rule: 'no path aliases', from, to: specifier })),
    ...imports.filter(leavesContract).map(({ from, specifier }) => ({
      rule: 'the contract imports the schema library, a hash and the script sandbox, and does no I/O',
      from,
      to: specifier,
    })),
  ]
}

/** Every server file with SQL that is no `sql.ts`, no `*-sql.ts` and not in `lib/database`. */
export function findStraySql(sources: Sources): Breach[] {
  return [...sources].flatMap(([from, text]) => {
    const mayHaveSql = isTest(from) || isSql(from) || from.startsWith('server/src/lib/database/')
    if (!from.startsWith('server/src/') || mayHaveSql) return []
    const [to] = /\bsql(<[^`]*>)?`|\b(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/.exec(text) ?? []
    return to === undefined ? [] : [{ rule: 'SQL only in sql.ts and *-sql.ts', from, to }]
  })
}

/** Types given by hand to the server's SQL: of anything but a condition, or of a selected condition. */
export function findClaimedTypes(sources: Sources): Breach[] {
  const mayClaim = (from: string) => !from.startsWith('server/src/') || isTest(from) || from === 'server/src/lib/database/rows.ts'
  return [...sources]
    .filter(([from]) => !mayClaim(from))
    .flatMap(([from, text]) =>
      parse(from, text).nodes.flatMap(([node, parent]) => {
        const claimed = node.typeArguments as Node | undefined
        if (node.type !== 'TaggedTemplateExpression' || (node.tag as Node).name !== 'sql' || !claimed) return []
        const to = text.slice(claimed.start + 1, claimed.end - 1)
        const isSelected = parent?.type === 'MemberExpression' && (parent.property as Node).name === 'as'
        const isCondition = /^(boolean|SqlBool)$/.test(to) && !isSelected
        return isCondition ? [] : [{ rule: "types of SQL are those of lib/database/rows.ts, but for a condition's", from, to }]
      }),
    )
}

const isAlias = ({ specifier }: Import) => /^([~#/]|@\/)/.test(specifier)

const leavesContract = ({ from, to, specifier }: Import) =>
  from.startsWith('contract/') &&
  !isTest(from) &&
  to === null &&
  !/^(zod(\/|$)|@noble\/hashes\/|quickjs-emscripten-core$|@jitl\/quickjs-)/.test(specifier)

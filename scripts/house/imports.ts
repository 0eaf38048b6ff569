import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** One import of one file of the project: by a statement, a re-export or import(). */
export interface Import {
  from: string
  /** As written. */
  specifier: string
  /** The project's file that it names; null for a package. */
  to: string | null
  /** Whether only types are imported, which do not exist when the program runs. */
  typeOnly: boolean
  /** Whether it is import(), which loads the file when it is needed. */
  isLazy: boolean
}

/** The project's sources by path from its root, with forward slashes. */
export type Sources = Map<string, string>

const root = join(import.meta.dirname, '../..')
const programs = ['contract', 'server', 'web', 'agent', 'idp', 'e2e', 'bench', 'scripts']

/** Reads every source file of the project. */
export function readSources(): Sources {
  const paths = programs.flatMap((program) => readdirSync(join(root, program), { recursive: true }).map((path) => `${program}/${path}`))
  const sources = paths.filter((path) => /\.(tsx?|mjs|js|css)$/.test(path) && !/(^|\/)(node_modules|dist|public)\//.test(path)).sort()
  return new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** Every import in the sources, types included. */
export function findImports(sources: Sources): Import[] {
  return [...sources].filter(([path]) => !path.endsWith('.css')).flatMap(([path, text]) => readImports(path, text))
}

function readImports(path: string, text: string): Import[] {
  const { module } = parseSync(path, text)
  const found = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
      isLazy: false,
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) =>
        entry.moduleRequest ? [{ specifier: entry.moduleRequest.value, typeOnly: entry.isType, isLazy: false }] : [],
      ),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const written = text.slice(moduleRequest.start, moduleRequest.end)
      return /^['"`][^$]*['"`]$/.test(written) ? [{ specifier: written.slice(1, -1), typeOnly: false, isLazy: true }] : []
    }),
  ]
  return found.map((one) => ({ from: path, to: resolve(path, one.specifier), ...one }))
}

/** Imports have their extension, so that a path needs no guessing. An internal package exports its `src`. */
function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  const inside = /^@lectern\/([^/]+)\/(.+)$/.exec(specifier)
  return inside ? `${inside[1]}/src/${inside[2]}` : null
}

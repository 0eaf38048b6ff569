import { basename, matchesGlob } from 'node:path'
import type { Import, Sources } from './imports.ts'
import { parse } from './syntax.ts'

/** knip.json, as far as it is used here. */
export interface UnusedConfig {
  workspaces: Record<string, { entry?: string[]; includeEntryExports?: boolean }>
}

/**
 * Files without an export that nothing imports or starts, in the packages whose files others import by name. knip takes each file of such a package for an entry,
 * so it judges their exports alone.
 */
export function findStrayFiles(sources: Sources, imports: readonly Import[], { workspaces }: UnusedConfig): string[] {
  const imported = new Set(imports.map(({ to }) => to))
  const packages = Object.entries(workspaces).filter(([, { includeEntryExports }]) => includeEntryExports)
  return [...sources].flatMap(([path, text]) => {
    const [name, { entry = [] } = {}] = packages.find(([folder]) => path.startsWith(`${folder}/src/`)) ?? []
    if (name === undefined || !/(?<!\.test|\.d)\.ts$/.test(path) || imported.has(path)) return []
    // Workers and programs are started by their paths.
    if ([...sources.values()].some((other) => other.includes(`/${basename(path)}'`))) return []
    if (entry.some((pattern) => matchesGlob(path, `${name}/${pattern}`))) return []
    return parse(path, text).nodes.some(([{ type }]) => type.startsWith('Export')) ? [] : [path]
  })
}

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Replaces modules by their exports, as data, so that neither their code nor what it imports is loaded. A Node process of its own evaluates
 * them: a build that watches sees every change below `sources`.
 */
export function evaluatedModules(modules: readonly string[], sources: readonly string[]): Plugin {
  return {
    name: 'evaluated-modules',
    apply: 'build',
    load(id) {
      if (!modules.some((module) => resolve(module) === id)) return null
      for (const folder of sources)
        for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
          if (entry.isFile()) this.addWatchFile(join(entry.parentPath, entry.name))
      return Object.entries(evaluate(id))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}

function evaluate(module: string): Record<string, unknown> {
  const script = `process.stdout.write(JSON.stringify(await import(${JSON.stringify(pathToFileURL(module).href)})))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }))
}

// A preload for a server, which then sends every statement by itself, as the owner, who sees everything: as before there was row security.
import { registerHooks } from 'node:module'

const changes = [
  { file: '/database/organization.ts', from: /export const ofOrganization = \([^)]*\): Database =>/, to: 'db ??' },
  { file: '/database/row-security.ts', from: /export async function checkLogin\([^{]*\{/, to: 'return;' },
]

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const change = changes.find(({ file }) => url.endsWith(file))
    if (!change) return loaded
    const source = String(loaded.source)
    if (!change.from.test(source)) throw new Error(`${change.file} has changed.`)
    return { ...loaded, source: source.replace(change.from, (found) => `${found} ${change.to}`) }
  },
})

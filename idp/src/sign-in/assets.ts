import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Context } from './browser.ts'

const base = '/login/assets/'
// The package's bundle, which is not among its exports.
const webauthn = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'))
const fontFile = 'atkinson-hyperlegible-next-latin-wght-normal.woff2'

export interface Stylesheet {
  href: string
}

const scriptType = 'text/javascript; charset=utf-8'

const files = new Map([
  ['webauthn.js', { type: scriptType, body: readFileSync(fileURLToPath(webauthn)) }],
  ['passkey.js', { type: scriptType, body: read('passkey.js') }],
  ['sign-in.css', { type: 'text/css; charset=utf-8', body: read('sign-in.css') }],
  [fontFile, { type: 'font/woff2', body: read(fontFile) }],
])

const toAddress = (name: string): string => {
  const version = createHash('sha256').update(files.get(name)!.body).digest('hex').slice(0, 12)
  return `${base}${name}?v=${version}`
}

export const stylesheet: Stylesheet = { href: toAddress('sign-in.css') }

/** In this order. */
export const passkeyScripts = [toAddress('webauthn.js'), toAddress('passkey.js')]

export async function serveAssets(ctx: Context, next: () => Promise<void>): Promise<void> {
  if (!ctx.path.startsWith(base)) return next()
  const file = files.get(ctx.path.slice(base.length))
  if (!file || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
    ctx.status = 404
    return
  }
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
  ctx.body = file.body
  ctx.set('Content-Type', file.type)
}

function read(name: string): Buffer {
  return readFileSync(new URL(`../../assets/${name}`, import.meta.url))
}

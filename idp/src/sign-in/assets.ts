import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Context } from './browser.ts'

const base = '/login/assets/'
const fontFile = 'atkinson-hyperlegible-next-latin-wght-normal.woff2'

export interface Stylesheet {
  href: string
}

const files = new Map([
  ['sign-in.css', { type: 'text/css; charset=utf-8', body: read('sign-in.css') }],
  [fontFile, { type: 'font/woff2', body: read(fontFile) }],
])

export const stylesheet: Stylesheet = {
  href: `${base}sign-in.css?v=${createHash('sha256').update(read('sign-in.css')).digest('hex').slice(0, 12)}`,
}

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

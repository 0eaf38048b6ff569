import { passkeyScripts, type Stylesheet } from './assets.ts'
import type { Context } from './browser.ts'

export interface Brand {
  product: string
  provider: string
}

interface Markup {
  markup: string
}

type Piece = Markup | string | number | false | undefined | Piece[]

/** Escapes strings, but not markup. Omits `false` and `undefined`. */
function html(texts: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return { markup: texts.reduce((before, text, index) => before + toMarkup(pieces[index - 1]) + text) }
}

function toMarkup(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (Array.isArray(piece)) return piece.map(toMarkup).join('')
  if (typeof piece === 'object') return piece.markup
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

interface Field {
  name: string
  label: string
  type: 'email' | 'password'
  autocomplete: string
  value?: string
  hint?: string
  problem?: string | undefined
  autofocus?: boolean
}

/** For a form that a passkey fills in. `options`: for the browser's call. */
export interface PasskeyRequest {
  kind: 'new' | 'use'
  options: object
}

interface PasskeyList {
  lead: string
  hidden: Record<string, string>
  rows: { id: string; name: string; facts: string; isRemovable: boolean }[]
  /** Undefined where no further passkey can be added. */
  adding: PasskeyRequest | undefined
  hint?: string | undefined
  problem?: string | undefined
  status?: number
  links: { text: string; href: string }[]
}

interface FormPage {
  title: string
  lead: string
  hidden: Record<string, string>
  fields: Field[]
  button: string
  problem?: string | undefined
  links: { text: string; href: string }[]
  status?: number
  passkey?: PasskeyRequest
}

// LECTERN as Code 128, 112 modules; the web app has the same drawing.
const bars =
  'M0 0h2v5h-2zM3 0h1v5h-1zM6 0h1v5h-1zM11 0h1v5h-1zM15 0h2v5h-2zM18 0h3v5h-3zM22 0h1v5h-1zM26 0h2v5h-2zM29 0h1v5h-1zM33 0h1v5h-1zM37 0h1v5h-1zM41 0h2v5h-2zM44 0h2v5h-2zM47 0h3v5h-3zM53 0h1v5h-1zM55 0h1v5h-1zM59 0h2v5h-2zM62 0h1v5h-1zM66 0h2v5h-2zM71 0h1v5h-1zM73 0h3v5h-3zM77 0h1v5h-1zM79 0h3v5h-3zM85 0h2v5h-2zM88 0h1v5h-1zM91 0h1v5h-1zM94 0h2v5h-2zM99 0h2v5h-2zM104 0h3v5h-3zM108 0h1v5h-1zM110 0h2v5h-2z'

const warning = html`<svg class="i" width="14" height="14" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" aria-hidden="true"><circle cx="12" cy="12" r="10"/><line x1="12" x2="12" y1="8" y2="12"/><line x1="12" x2="12.01" y1="16" y2="16"/></svg>`

export function createPages(brand: Brand, home: string, stylesheet: Stylesheet) {
  function send(ctx: Context, status: number, title: string, body: Markup, hasPasskey = false): void {
    ctx.status = status
    // The page runs only the provider's own scripts.
    if (hasPasskey)
      ctx.set('Content-Security-Policy', ctx.response.get('content-security-policy').replace('script-src;', "script-src 'self';"))
    ctx.type = 'html'
    ctx.body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><meta name="description" content="${title} at ${brand.product}, the portal of ${brand.provider}"><title>${title} · ${brand.product}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${stylesheet.href}">${hasPasskey ? passkeyScripts.map((src) => html`<script src="${src}" defer></script>`) : undefined}</head>
<body><header class="bar"><a class="logo" href="${home}" aria-label="${brand.product}, home"><span class="logo-w">${brand.product}</span>${drawMotif(112, 5)}</a>
<p class="by">${brand.provider}</p></header>
<main class="main"><div class="card">${body}</div></main></body></html>
`.markup
  }

  return {
    form(ctx: Context, page: FormPage): void {
      send(
        ctx,
        page.status ?? 200,
        page.title,
        html`<div class="card-b"><h1>${page.title}</h1><p class="lead">${page.lead}</p>${page.problem ? renderNotice(page.problem) : undefined}
<form method="post" novalidate${renderPasskey(page.passkey)}>${renderHidden(page.hidden)}${page.passkey && passkeyField}
${page.fields.map(renderField)}<button class="btn" type="submit">${page.button}</button></form>
${renderLinks(page.links)}</div>`,
        page.passkey !== undefined,
      )
    },

    passkeys(ctx: Context, page: PasskeyList): void {
      send(
        ctx,
        page.status ?? 200,
        'Your passkeys',
        html`<div class="card-b"><h1>Your passkeys</h1><p class="lead">${page.lead}</p>${page.problem ? renderNotice(page.problem) : undefined}
${page.rows.length > 0 ? html`<ul class="keys">${page.rows.map((row, index) => renderRow(page, row, index))}</ul>` : undefined}${page.hint ? html`<p class="hint">${page.hint}</p>` : undefined}
${page.adding ? html`<form method="post"${renderPasskey(page.adding)}>${renderHidden({ ...page.hidden, action: 'add' })}${passkeyField}<button class="btn" type="submit">Add a passkey</button></form>` : undefined}
${renderLinks(page.links)}</div>`,
        page.adding !== undefined,
      )
    },

    message(ctx: Context, title: string, text: string, link = { text: `Continue to ${brand.product}`, href: home }): void {
      send(
        ctx,
        200,
        title,
        html`<div class="card-b"><h1>${title}</h1><p class="lead">${text}</p><p><a class="btn" href="${link.href}">${link.text}</a></p></div>`,
      )
    },

    problem(ctx: Context, status: number, title: string, text: string): void {
      const way = html`<p><a class="btn" href="${home}">Back to ${brand.product}</a></p>`
      const foot = html`<div class="card-m">${drawMotif(224, 10)}</div>`
      send(ctx, status, title, html`<div class="card-b"><h1>${title}</h1>${renderNotice(text)}${way}</div>${foot}`)
    },
  }
}

export type Pages = ReturnType<typeof createPages>

function drawMotif(width: number, height: number): Markup {
  return html`<svg class="motif" width="${width}" height="${height}" viewBox="0 0 112 5" preserveAspectRatio="none" shape-rendering="crispEdges" aria-hidden="true"><path d="${bars}" fill="currentColor"/></svg>`
}

export const maxPasskeyName = 60

function renderRow({ hidden }: PasskeyList, { id, name, facts, isRemovable }: PasskeyList['rows'][number], index: number): Markup {
  return html`<li><form method="post">${renderHidden({ ...hidden, id })}<div class="field"><label for="name-${index}">Name</label>
<input class="in" id="name-${index}" name="name" value="${name}" maxlength="${maxPasskeyName}" required aria-describedby="facts-${index}">
<p class="hint" id="facts-${index}">${facts}</p></div><div class="acts"><button class="btn btn-2" type="submit" name="action" value="rename" aria-label="Rename ${name}">Rename</button>${
    isRemovable
      ? html`
<button class="btn btn-2" type="submit" name="action" value="remove" aria-label="Remove ${name}">Remove</button>`
      : undefined
  }</div></form></li>`
}

const renderHidden = (hidden: Record<string, string>): Markup[] =>
  Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

const renderLinks = (links: { text: string; href: string }[]): Markup | undefined =>
  links.length > 0 ? html`<ul class="links">${links.map((link) => html`<li><a href="${link.href}">${link.text}</a></li>`)}</ul>` : undefined

const renderPasskey = (passkey: PasskeyRequest | undefined): Markup | undefined =>
  passkey && html` data-passkey="${passkey.kind}" data-options="${JSON.stringify(passkey.options)}"`

const passkeyField = html`<input type="hidden" name="response" value=""><p class="err" data-says role="alert"></p>
<noscript><p class="err">Passkeys need JavaScript.</p></noscript>`

function renderNotice(text: string): Markup {
  return html`<p class="notice" role="alert">${warning}<span>${text}</span></p>`
}

function renderField({ name, label, type, autocomplete, value, hint, problem, autofocus }: Field): Markup {
  const describedBy = problem ? `${name}-problem` : hint && `${name}-hint`
  return html`<div class="field"><label for="${name}">${label}</label>
<input class="in" id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${value ? html` value="${value}"` : undefined}${describedBy ? html` aria-describedby="${describedBy}"` : undefined}${problem ? html` aria-invalid="true"` : undefined}${autofocus ? html` autofocus` : undefined}>
${hint && !problem ? html`<p class="hint" id="${name}-hint">${hint}</p>` : undefined}${problem ? html`<p class="err" id="${name}-problem">${warning}<span>${problem}</span></p>` : undefined}</div>`
}

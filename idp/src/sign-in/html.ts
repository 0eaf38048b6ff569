/** Markup that is safe to send: made only by `html`, which escapes everything put into it. */
export type Markup = { markup: string }

type Piece = Markup | string | number | false | undefined | Piece[]

/** Builds markup; strings put in are escaped, markup and lists of it are not, `false` and `undefined` are nothing. */
export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return { markup: texts.reduce((before, text, index) => before + render(pieces[index - 1]) + text) }
}

function render(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (Array.isArray(piece)) return piece.map(render).join('')
  if (typeof piece === 'object') return piece.markup
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

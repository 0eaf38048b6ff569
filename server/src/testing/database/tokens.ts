export interface Token {
  /** A name without its quotes; anything else in lower case. */
  text: string
  kind: 'keyword' | 'name' | 'other'
}

const keywords = new Set(
  `all and any as asc between by case conflict cross default delete desc distinct do else end except exists fetch for from full group having in inner
  insert intersect into is join lateral left like limit materialized natural not null nulls offset on only or order outer over recursive returning right
  select set skip some then union update using values when where window with`.split(/\s+/),
)

const pattern =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$([a-z_]\w*)?\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"(?:[^"]|"")+"|\$\d+|[a-z_][\w$]*|\d+(?:\.\d+)?|::|[<>=!@#%^&|~?]+|\S/gi

/** The tokens of a statement, without its comments. */
export const splitTokens = (sql: string): Token[] =>
  [...sql.matchAll(pattern)].filter(([text]) => !/^(--|\/\*)/.test(text)).map(([text]) => toToken(text))

function toToken(text: string): Token {
  if (text.startsWith('"')) return { text: text.slice(1, -1), kind: 'name' }
  if (!/^[a-z_]/i.test(text)) return { text, kind: 'other' }
  const word = text.toLowerCase()
  return { text: word, kind: keywords.has(word) ? 'keyword' : 'name' }
}

/** Statements that differ only in quotes, comments and line breaks become equal. */
export const normalizeStatement = (sql: string): string =>
  splitTokens(sql)
    .map(({ text }) => text)
    .join(' ')

const secretNames = 'code|state|nonce|invitation|ticket|secret|password|(?:\\w+_)?(?:token|secret|verifier)(?:_hint)?'

const parameter = new RegExp(`((?:[?&#]|%3F|%26|%23)(?:${secretNames})(?:=|%3D))(?:(?!%26|%23)[^&#\\s"'<>\\\\])+`, 'gi')
const fragment = /((?:https?:\/\/|(?<![^\s"'(])\/)[^\s"'<>\\#]*#)[^\s"'<>\\]+/g
const bearer = /\b(Bearer\s+)[\w.~+/-]{16,}=*/gi
const webToken = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g

const removed = '[removed]'

/** For error reports: replaces, in all texts of plain data, tokens, address parameters with tokens, and everything behind `#`. */
export function withoutSecrets<T>(value: T): T {
  if (typeof value === 'string') return withoutSecretsInText(value) as T
  if (Array.isArray(value)) return value.map(withoutSecrets) as T
  if (isPlain(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner)])) as T
  return value
}

const withoutSecretsInText = (text: string): string =>
  text.replace(bearer, `$1${removed}`).replace(webToken, removed).replace(parameter, `$1${removed}`).replace(fragment, `$1${removed}`)

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))

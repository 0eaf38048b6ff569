import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'

// OWASP's scrypt profile for 32 MiB; about 0.2 seconds of one core.
const defaultCost = { N: 2 ** 15, r: 8, p: 3 }
const minLength = 10
const maxLength = 256

const common: ReadonlySet<string> = new Set(dictionary['passwords-common'])

export const passwordHint = `At least ${minLength} characters.`

// SES-02, ASVS 6.2: no rules of composition.
export function findPasswordProblem(password: string, email: string): string | undefined {
  if ([...password].length < minLength) return `Use at least ${minLength} characters.`
  if (password.length > maxLength) return `Use at most ${maxLength} characters.`
  const lower = password.normalize('NFKC').toLowerCase()
  if (listBare(lower).some((bare) => common.has(bare))) return 'This is one of the most common passwords. Choose another.'
  const name = email.toLowerCase().split('@')[0] ?? ''
  if (name.length >= 4 && lower.includes(name)) return 'Choose a password without your e-mail address.'
  return undefined
}

const letters: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's', '7': 't' }

/** A password, also without digits and signs at its end, and with letters in place of signs that resemble them. */
function listBare(lower: string): string[] {
  const withoutEnd = lower.replace(/[^\p{L}]+$/u, '')
  const spell = (text: string) => text.replace(/[@431!0$57]/g, (sign) => letters[sign] ?? sign)
  return [lower, withoutEnd, spell(lower), spell(withoutEnd)]
}

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string, cost = defaultCost): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, cost, 32)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long without a hash, so that timing does not disclose which accounts exist. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? '').split('$')
  if (scheme !== 'scrypt' || !salt || !hash || password.length > maxLength) {
    await derive(password.slice(0, maxLength), Buffer.alloc(16), defaultCost, 32)
    return false
  }
  const expected = Buffer.from(hash, 'base64url')
  const actual = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) }, expected.length)
  return timingSafeEqual(actual, expected)
}

function derive(password: string, salt: Buffer, { N, r, p }: typeof defaultCost, length: number): Promise<Buffer> {
  const typed = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(typed, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

// 32 MiB and three lanes: about a fifth of a second of one core (OWASP's scrypt profile of that memory).
const usual = { N: 2 ** 15, r: 8, p: 3 }
const shortest = 8
const longest = 256

/** What is wrong with a new password, in words; undefined when nothing is. */
export function passwordProblem(password: string): string | undefined {
  if ([...password].length < shortest) return `Use at least ${shortest} characters.`
  if (password.length > longest) return `Use at most ${longest} characters.`
  return undefined
}

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string, cost = usual): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, cost, 32)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Whether the password belongs to the hash. Works as long for no hash at all, so that time tells nobody which accounts exist. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? '').split('$')
  if (scheme !== 'scrypt' || !salt || !hash || password.length > longest) {
    await derive(password.slice(0, longest), Buffer.alloc(16), usual, 32)
    return false
  }
  const expected = Buffer.from(hash, 'base64url')
  const actual = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) }, expected.length)
  return timingSafeEqual(actual, expected)
}

function derive(password: string, salt: Buffer, { N, r, p }: typeof usual, length: number): Promise<Buffer> {
  // One written form for characters that can be typed in two ways.
  const typed = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(typed, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

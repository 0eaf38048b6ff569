import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Storage } from '../storage.ts'

export interface RateLimit {
  /** Counts an attempt. `wait`: 0 where it is allowed, else the seconds until the next may be made. `left`: how many more are allowed. */
  take(key: string): Promise<{ wait: number; left: number }>
  refund(key: string): Promise<void>
}

const hour = 60 * 60

/** Wrong guesses per hour (SES-03). Many people in an office may share an address. */
export interface SignInAttempts {
  perAccount: number
  perAddress: number
}

/** Counts in storage, for all servers together. */
export function createFormLimits(storage: Storage, { perAccount, perAddress }: SignInAttempts = { perAccount: 10, perAddress: 100 }) {
  const createLimit = (name: string, limit: number): RateLimit => {
    // Hashed, as what people enter may be long, or be their password.
    const toKey = (key: string) => createHash('sha256').update(`${name} ${key}`).digest('base64url')
    return {
      take: (key) => storage.takeAttempt(toKey(key), limit, hour),
      refund: (key) => storage.refundAttempt(toKey(key)),
    }
  }
  return {
    signInByAccount: createLimit('account', perAccount),
    signInByBrowser: createLimit('browser', perAccount),
    signInByAddress: createLimit('address', perAddress),
    signUpByAddress: createLimit('sign-up', 20),
    linkByAccount: createLimit('link to', 3),
    linkByAddress: createLimit('link', 20),
  }
}

export type FormLimits = ReturnType<typeof createFormLimits>

/** The /64 of an IPv6 address, all of which its caller owns. An IPv4-mapped address becomes IPv4. */
export function toAddressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]!.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right].slice(0, 4).join(':')
}

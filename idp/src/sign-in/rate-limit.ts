import { isIPv6 } from 'node:net'

export interface RateLimit {
  /** Counts an attempt. Returns 0 where it is allowed, else the seconds until one is. */
  take(key: string): number
  refund(key: string): void
}

/**
 * In memory: a restart resets it, and each server counts separately. Beyond `capacity` keys the oldest is dropped, so that memory is
 * bounded.
 */
export function createRateLimit(options: { limit: number; windowSeconds: number; capacity?: number; now?: () => number }): RateLimit {
  const { limit, windowSeconds, capacity = 50_000, now = Date.now } = options
  const windows = new Map<string, { count: number; endsAt: number }>()
  return {
    take(key) {
      let window = windows.get(key)
      if (!window || window.endsAt <= now()) {
        windows.delete(key)
        const oldest = windows.keys().next().value
        if (windows.size >= capacity && oldest !== undefined) windows.delete(oldest)
        window = { count: 0, endsAt: now() + windowSeconds * 1000 }
        windows.set(key, window)
      }
      if (window.count >= limit) return Math.ceil((window.endsAt - now()) / 1000)
      window.count += 1
      return 0
    },
    refund(key) {
      const window = windows.get(key)
      if (window && window.count > 0) window.count -= 1
    },
  }
}

/** Failed sign-ins per 15 minutes. Many people of an office may share an address. */
export interface SignInAttempts {
  perAccount: number
  perAddress: number
}

export function createFormLimits({ perAccount, perAddress }: SignInAttempts = { perAccount: 10, perAddress: 100 }) {
  const [quarter, hour] = [15 * 60, 60 * 60]
  return {
    signInByAccount: createRateLimit({ limit: perAccount, windowSeconds: quarter }),
    signInByAddress: createRateLimit({ limit: perAddress, windowSeconds: quarter }),
    signUpByAddress: createRateLimit({ limit: 20, windowSeconds: hour }),
    linkByAccount: createRateLimit({ limit: 3, windowSeconds: hour }),
    linkByAddress: createRateLimit({ limit: 20, windowSeconds: hour }),
  }
}

export type FormLimits = ReturnType<typeof createFormLimits>

/** The /64 of an IPv6 address, since a caller owns all of it; an IPv4-mapped address becomes IPv4. */
export function toAddressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]!.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right].slice(0, 4).join(':')
}

import { isIPv6 } from 'node:net'

/** Counts attempts by key in fixed windows. */
export type RateLimit = {
  /** Counts one attempt. 0 when it is allowed, else the seconds until the next one is. */
  take(key: string): number
  /** Gives one attempt back: it turned out to be a good one. */
  refund(key: string): void
}

/**
 * Counted in this process's memory: a restart forgets, and each replica counts for itself. At most `capacity` keys are remembered;
 * past that the oldest is forgotten, so that a flood of made-up keys costs a bounded amount of memory.
 */
export function rateLimit(options: { limit: number; windowSeconds: number; capacity?: number; now?: () => number }): RateLimit {
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

/** How many sign-ins may fail within a quarter of an hour. An office of many people may share one address. */
export type SignInAttempts = { perAccount: number; perAddress: number }

/** The limits of the provider's forms. Sign-ins that succeed do not count. */
export function formLimits({ perAccount, perAddress }: SignInAttempts = { perAccount: 10, perAddress: 100 }) {
  const [quarter, hour] = [15 * 60, 60 * 60]
  return {
    signInByAccount: rateLimit({ limit: perAccount, windowSeconds: quarter }),
    signInByAddress: rateLimit({ limit: perAddress, windowSeconds: quarter }),
    signUpByAddress: rateLimit({ limit: 20, windowSeconds: hour }),
    linkByAccount: rateLimit({ limit: 3, windowSeconds: hour }),
    linkByAddress: rateLimit({ limit: 20, windowSeconds: hour }),
  }
}

export type FormLimits = ReturnType<typeof formLimits>

/** The key an address is counted under: an IPv6 caller owns a whole /64, an IPv4 address may come written as IPv6. */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]!.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right].slice(0, 4).join(':')
}

import { vi } from 'vitest'

/** Waits up to 20 seconds, for a busy machine's sake. */
export const until = (condition: () => boolean | Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(condition, { timeout: 20_000, interval: 20 })

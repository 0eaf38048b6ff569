import { vi } from 'vitest'

/** Waits until `condition` holds; long enough for a machine that is busy with other things. */
export const until = (condition: () => boolean | Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(condition, { timeout: 20_000, interval: 20 })

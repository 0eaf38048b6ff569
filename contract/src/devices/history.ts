import * as z from 'zod/mini'
import { Paging } from '../http/paging.ts'
import { Uuid } from '../text/text.ts'

const DeviceEventKind = z.enum(['applied', 'failed', 'drifted', 'returned', 'moved'])
export type DeviceEventKind = z.infer<typeof DeviceEventKind>

/**
 * `content`: what was published; for `drifted`, what its zone desires. `running`: what it ran then; absent for nothing. `zone`: where it
 * was published. `requestedBy`: the user who had it applied again. A move has `to`, and `from` where that is known.
 */
export const DeviceEvent = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: DeviceEventKind,
  contentKind: z.optional(z.enum(['configuration', 'firmware'])),
  content: z.optional(z.string()),
  running: z.optional(z.string()),
  revision: z.optional(z.int()),
  rollout: z.optional(Uuid),
  zone: z.optional(z.string()),
  publishedBy: z.optional(z.string()),
  requestedBy: z.optional(z.string()),
  reapplied: z.optional(z.literal(true)),
  reason: z.optional(z.string()),
  from: z.optional(z.string()),
  to: z.optional(z.string()),
})
export type DeviceEvent = z.infer<typeof DeviceEvent>

/** `next`: the `before` of the page that follows. `firstSeen`: a UTC day; absent where it is not known. */
export const DeviceHistory = z.object({
  eventList: z.array(DeviceEvent),
  next: z.optional(z.string()),
  firstSeen: z.optional(z.iso.date()),
  lastSeen: z.iso.datetime(),
})
export type DeviceHistory = z.infer<typeof DeviceHistory>

// Microseconds, and a key that orders events of one instant.
const Place = z.string().check(z.regex(/^\d{1,17}~[a-z][0-9a-f-]{1,40}$/, 'must be `next` of another page'))

export const HistoryQuery = z.object({ PageSize: Paging.shape.PageSize, before: z.optional(Place) })

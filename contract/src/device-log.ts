import * as z from 'zod/mini'
import { batchSize } from './hosts.ts'
import { endpoint } from './http/endpoint.ts'
import { Line } from './text/text.ts'

/** A record may be so many minutes ahead of the server, as clocks differ. */
export const clockSkewMinutes = 5

/** A full batch of the longest records, with each of their characters escaped, takes 971,514 bytes. */
const maxDeviceLogBytes = 1024 * 1024

/** A name as it is counted: however it was typed, one spelling. */
const Name = (max: number) => z.pipe(z.string().check(z.trim(), z.normalize('NFC')), Line(max))

const degrees = (most: number) =>
  z.number().check(z.minimum(-most, `must be from -${most} to ${most}`), z.maximum(most, `must be from -${most} to ${most}`))

/** Where a device is. Two cities of one name are told apart by it: "Portland, Maine". */
const DeviceLocation = z.object({ city: Name(100), latitude: degrees(90), longitude: degrees(180) })

/** What a scanner app says of the device it runs on, at a time. What is null or absent is not known. */
export const DeviceRecord = z.object({
  /** A licensed device's serial number, or an id that stays the same. */
  deviceId: Line(64),
  model: Name(64),
  os: z.optional(z.nullable(Name(64))),
  location: z.optional(z.nullable(DeviceLocation)),
  /** An instant with its offset from UTC. The day it counts on is the UTC day. */
  at: z.iso.datetime({ offset: true, error: 'must be an instant, such as 2027-01-31T08:30:00Z' }),
  /** Barcodes that its decoder has read since the record before; more than 0 means that the decoder was used. */
  decodes: z._default(z.int('must be a whole number').check(z.minimum(0, 'must not be negative')), 0),
})
export type DeviceRecord = z.infer<typeof DeviceRecord>

/** One bad record does not refuse the batch, so each is judged on its own by DeviceRecord. */
const DeviceLog = z.object({
  records: z.array(z.unknown()).check(z.maxLength(batchSize, `must have at most ${batchSize} records`)),
})

/** Records that will never be taken, with the reason; all others are stored and need not be sent again. */
export const DeviceLogReply = z.object({
  accepted: z.int(),
  refused: z.array(z.object({ index: z.int(), deviceId: z.nullable(z.string()), reason: z.string() })),
})
export type DeviceLogReply = z.infer<typeof DeviceLogReply>

export const deviceLogEndpoints = {
  logDevices: endpoint({
    method: 'POST',
    path: '/api/mdl',
    access: 'self',
    changes: [],
    audit: { none: 'A report of how devices are is no change that somebody made (decided).' },
    summary:
      'The mobile device log: what scanner apps say of their devices, in one’s own organization; at most 500 records a call, repeats change nothing',
    body: DeviceLog,
    maxBodyBytes: maxDeviceLogBytes,
    response: DeviceLogReply,
  }),
}

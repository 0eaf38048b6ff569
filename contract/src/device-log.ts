import * as z from 'zod/mini'
import { batchSize } from './hosts.ts'
import { endpoint } from './http/endpoint.ts'
import { countMost } from './http/most-values.ts'
import { Name } from './text/text.ts'

/** By how much a record's time may be ahead of the server. */
export const clockSkewMinutes = 5

/** The longest batch, with all characters escaped, has 971,514 bytes. */
const maxDeviceLogBytes = 1024 * 1024

const degrees = (most: number) =>
  z.number().check(z.minimum(-most, `must be from -${most} to ${most}`), z.maximum(most, `must be from -${most} to ${most}`))

/** Cities with one name must differ in `city`: "Portland, Maine". */
const DeviceLocation = z.object({ city: Name(100), latitude: degrees(90), longitude: degrees(180) })

/**
 * Null or absent: not known. `deviceId`: a licensed device's serial number, or another stable id. `at`: counts on its UTC day. `decodes`:
 * barcodes since the previous record.
 */
export const DeviceRecord = z.object({
  deviceId: Name(64),
  model: Name(64),
  os: z.optional(z.nullable(Name(64))),
  location: z.optional(z.nullable(DeviceLocation)),
  at: z.iso.datetime({ offset: true, error: 'must be an instant, such as 2027-01-31T08:30:00Z' }),
  decodes: z._default(z.int('must be a whole number').check(z.minimum(0, 'must not be negative')), 0),
})
export type DeviceRecord = z.infer<typeof DeviceRecord>

/** Records are checked one by one by DeviceRecord, so that an invalid one does not refuse the batch. */
const DeviceLog = z.object({
  records: z.array(z.unknown()).check(z.maxLength(batchSize, `must have at most ${batchSize} records`)),
})

/** `refused`: for good, with the reason. The others are stored and need not be sent again. */
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
    limitedRole: 'everything',
    changes: [],
    audit: { none: 'It reports how devices are and changes nothing.' },
    summary:
      'The mobile device log: what scanner apps say of their devices, in one’s own organization; at most 500 records a call, repeats change nothing',
    body: DeviceLog,
    maxBodyBytes: maxDeviceLogBytes,
    maxValues: countMost(z.object({ records: z.array(DeviceRecord).check(z.maxLength(batchSize)) })),
    response: DeviceLogReply,
  }),
}

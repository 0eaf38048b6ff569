import * as z from 'zod/mini'
import { Attached, GivenKind } from './devices/attached.ts'
import { DeviceModel, UpdateModelName } from './devices/device-models.ts'
import { endpoint } from './http/endpoint.ts'
import { countMost } from './http/most-values.ts'
import { VendorKeys } from './licences/licence-file.ts'
import { OutcomeCode } from './publications/outcome-code.ts'
import { Admitted } from './publications/phases.ts'
import { TimeZoneHistory } from './publications/time-zone-history.ts'
import { StopTime, TimeZone, UpdateTime } from './publications/update-time.ts'
import { always, OpenTimes } from './schedule/open-times.ts'
import { SerialNumber } from './text/serial-number.ts'
import { CalendarDate, Instant, Line, Name, Text, Uuid } from './text/text.ts'

export const ContentHash = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'))

/** Minutes between check-ins of a host whose readers do not change. */
export const checkInMinutes = 15
export const hostReaderLimit = 5_000
/** Per cent: the default of `MIN_BATTERY`. Readers below it are not updated. */
export const defaultMinBattery = 25
// The most outcomes in a report.
export const batchSize = 500

// The driver of simulated readers (AGT-04).
export const simulatedDriver = 'simulated'

// Absent where it is not known, as from older agents.
const DriverName = z.optional(Line(64))

export const Enrollment = z.object({
  zoneId: Uuid,
  hostName: Name(255),
  timeZone: TimeZone,
  agentVersion: Line(64),
  credentialHash: ContentHash,
  driver: DriverName,
  /**
   * The hash of the credential that this PC has used before. Where the host of it is marked as on two PCs, it is removed; any other host
   * stays.
   */
  replaces: z.optional(ContentHash),
})
export type Enrollment = z.infer<typeof Enrollment>

export const Enrolled = z.object({
  hostId: z.string(),
  organizationId: z.string(),
  zoneName: z.string(),
  /** Keys to verify licence files with; absent from older servers. */
  vendorKeys: z.optional(VendorKeys),
})
export type Enrolled = z.infer<typeof Enrolled>

/** `fileName`: the name with which it was published, of a file or a library entry's version; null for a golden-standard CFG without one. */
export const ReportedConfiguration = z.object({ contentHash: ContentHash, fileName: z.nullable(Line(255)) })
export type ReportedConfiguration = z.infer<typeof ReportedConfiguration>

/**
 * `batteryHealth`: per cent; null for a corded reader. `publication`, `firmwarePublication`: what was desired before the reader was read;
 * null or absent: nothing, or not known. `can`: what the host PC can give it; absent: everything, and from older agents.
 */
export const ReportedDevice = z.object({
  serialNumber: SerialNumber,
  deviceType: DeviceModel,
  firmware: z.nullable(Line(64)),
  configuration: z.nullable(ReportedConfiguration),
  batteryHealth: z.nullable(z.number().check(z.minimum(0), z.maximum(100))),
  warrantyUntil: z.nullable(CalendarDate),
  can: z.optional(z.array(GivenKind).check(z.maxLength(4))),
  publication: z.optional(z.nullable(Uuid)),
  firmwarePublication: z.optional(z.nullable(Uuid)),
})
export type ReportedDevice = z.infer<typeof ReportedDevice>

/**
 * `digest`: the agent's own, of all readers of the host now. Without `since`, `devices` are all readers. With it (the digest of an earlier
 * check-in), `devices` are those that differ from then, and `gone` the serial numbers of those that left. `knowsPhases`: the agent keeps to
 * `admitted`. `sentAt`: the host PC's clock while sending. `roundTrip`: milliseconds that the last answered check-in took; half of it is taken
 * off the difference between the clocks. Both are absent from older agents.
 * `attached`: absent where it has not changed since the last check-in, and, without `since`, where there is nothing.
 */
export const CheckIn = z.object({
  timeZone: TimeZone,
  agentVersion: Line(64),
  sentAt: z.optional(Instant),
  roundTrip: z.optional(z.int().check(z.minimum(0), z.maximum(60_000))),
  driver: DriverName,
  digest: z.optional(ContentHash),
  since: z.optional(ContentHash),
  knowsPhases: z._default(z.boolean(), false),
  /** That of the last answer, 0 before the first. Absent from older agents, of which nothing is decided by it (AGT-08). */
  sequence: z.optional(z.int().check(z.minimum(0), z.maximum(2_147_483_647))),
  attached: z.optional(Attached),
  /**
   * The newest `withdrawals` of the desired state for which nothing older is under way or unreported; absent where the agent does not know
   * of roll backs.
   */
  withdrawals: z.optional(z.int().check(z.minimum(0), z.maximum(2_147_483_647))),
  // Checked one by one, so that an invalid reader does not refuse the others.
  devices: z.array(z.unknown()).check(z.maxLength(hostReaderLimit, `must have at most ${hostReaderLimit} readers`)),
  gone: z._default(z.array(SerialNumber).check(z.maxLength(hostReaderLimit)), []),
})
export type CheckIn = z.infer<typeof CheckIn>

/**
 * `sendAll`: the server does not know `since` of this host, and stored no reader of this check-in. `sequence`: a new number, which the next
 * check-in returns; absent where this one returned none. `isBehind`: it returned an older number than the last one, as after a lost answer,
 * from a backup, or from a second PC. `onTwoPcs`: two PCs check in as this host, and nothing is handed out to it (decision 92).
 * `clockAhead`: milliseconds by which the host PC's clock is ahead of the server's; negative: behind; absent where its time was not sent.
 */
export const CheckedIn = z.object({
  accepted: z.int(),
  refused: z.array(z.object({ index: z.int(), serialNumber: z.nullable(z.string()), reason: z.string() })),
  sendAll: z.optional(z.literal(true)),
  sequence: z.optional(z.int()),
  isBehind: z.optional(z.literal(true)),
  onTwoPcs: z.optional(z.literal(true)),
  clockAhead: z.optional(z.int()),
})
export type CheckedIn = z.infer<typeof CheckedIn>

/**
 * `size`: bytes. `atOnce`: regardless of the update time. `halted`: no reader begins; one that is being written is finished. `admitted`:
 * which readers may begin; null: all.
 */
const Publication = z.object({
  publication: Uuid,
  deviceType: UpdateModelName,
  revision: z.int(),
  contentHash: ContentHash,
  size: z.int(),
  updateTime: UpdateTime,
  publishedAt: z.iso.datetime(),
  stopTime: z._default(StopTime, null),
  atOnce: z._default(z.boolean(), false),
  halted: z._default(z.boolean(), false),
  startDate: z._default(z.nullable(z.iso.date()), null),
  admitted: z._default(z.nullable(Admitted), null),
  /** Serial numbers of the host's readers that the publication is not for. */
  except: z._default(z.array(z.string()), []),
  /** Serial numbers of the host's readers that it is for; absent: all of the model. */
  readers: z.optional(z.array(z.string())),
})

export const DesiredConfiguration = z.extend(Publication, {
  content: z.enum(['cfg', 'file', 'commands']),
  fileName: z.nullable(z.string()),
})
export type DesiredConfiguration = z.infer<typeof DesiredConfiguration>

const PreviousFirmware = z.object({ version: z.string(), contentHash: ContentHash, size: z.int() })
export type PreviousFirmware = z.infer<typeof PreviousFirmware>

export const DesiredFirmware = z.extend(Publication, {
  version: z.nullable(z.string()),
  fileName: z.string(),
  previous: z._default(z.array(PreviousFirmware), []),
})
export type DesiredFirmware = z.infer<typeof DesiredFirmware>

/** The outcome has `id` in place of the publication's id. */
export const Reapplication = z.object({ id: Uuid, publication: Uuid, serialNumber: z.string() })
export type Reapplication = z.infer<typeof Reapplication>

const Returns = z.object({ configurations: z.array(DesiredConfiguration), firmware: z.array(DesiredFirmware) })

export const Desired = z.object({
  zoneId: z.string(),
  zoneName: z.string(),
  /** How many roll backs the zone has had. A check-in returns the number once nothing goes on that they took back (decision 72). */
  withdrawals: z._default(z.int(), 0),
  configurations: z.array(DesiredConfiguration),
  // Further configurations, as commands of the builder. A field of their own, as agents that do not know them would refuse the whole
  // response.
  commands: z.optional(z.array(DesiredConfiguration)),
  firmware: z._default(z.array(DesiredFirmware), []),
  reapplications: z._default(z.array(Reapplication), []),
  /** What some readers get back. A field of its own, as agents that do not know it would give it to all readers. */
  returns: z._default(Returns, { configurations: [], firmware: [] }),
  minBattery: z._default(z.number(), defaultMinBattery),
  openTimes: z._default(OpenTimes, always),
  /** The times are planned by it; absent from older servers. */
  timeZoneHistory: z.optional(TimeZoneHistory),
  /**
   * Two PCs check in as this host, so nothing is handed out (AGT-08). Agents keep what they know and begin nothing: it is the same for them
   * once they are enrolled anew. Older agents drop what waits, as the rest is empty.
   */
  onTwoPcs: z.optional(z.literal(true)),
})
export type Desired = z.infer<typeof Desired>

/** `at`: by the host PC's clock, which may be wrong (RIT-08). */
export const Outcome = z.object({
  publication: Uuid,
  serialNumber: SerialNumber,
  outcome: z.enum(['applied', 'failed']),
  reason: z.nullable(Text(500)),
  code: z.optional(OutcomeCode),
  at: Instant,
})
export type Outcome = z.infer<typeof Outcome>

/** `refused`: for good; the others are stored. */
export const OutcomesReply = z.object({
  refused: z.array(z.object({ publication: z.string(), serialNumber: z.string(), reason: z.string() })),
})
export type OutcomesReply = z.infer<typeof OutcomesReply>

/** `serialNumber`: null for the download to the host PC. */
export const Progress = z.object({
  publication: Uuid,
  serialNumber: z.nullable(SerialNumber),
  percent: z.int().check(z.minimum(0), z.maximum(100)),
})
export type Progress = z.infer<typeof Progress>

export const SimulatedReaderSpec = z.object({
  serialNumber: z.string(),
  deviceType: UpdateModelName,
  firmware: z.string(),
  configuration: z.nullable(ReportedConfiguration),
  warrantyUntil: z.nullable(z.string()),
  battery: z.nullable(z.object({ health: z.number(), lossPerYear: z.number(), phase: z.number() })),
  refuses: z.boolean(),
})
export type SimulatedReaderSpec = z.infer<typeof SimulatedReaderSpec>

const SimulatedHost = z.object({
  state: z.string(),
  zoneId: z.string(),
  name: z.string(),
  licence: z.string(),
  // Absent: the machine's own.
  timeZone: z.optional(TimeZone),
  poll: z.number(),
  interval: z.number(),
  readers: z.union([z.object({ count: z.int(), seed: z.int() }), z.array(SimulatedReaderSpec)]),
})
export type SimulatedHost = z.infer<typeof SimulatedHost>

/** What `lectern-agent simulate` gets. `state`: a folder per host. `poll`, `interval`: seconds, as for `lectern-agent run`. */
export const SimulatedHosts = z.object({ server: z.string(), hosts: z.array(SimulatedHost) })
export type SimulatedHosts = z.infer<typeof SimulatedHosts>

export const hostEndpoints = {
  enrollHost: endpoint({
    method: 'POST',
    path: '/api/agent/enroll',
    access: 'licence',
    changes: [],
    audit: 'enrolHost',
    summary: 'Enrolls a host PC in a zone; the bearer credential is a licence number of the same organization',
    body: Enrollment,
    response: Enrolled,
  }),
  getVendorKeys: endpoint({
    method: 'GET',
    path: '/api/licensing/keys',
    access: 'public',
    shows: [],
    summary: "The vendor's public keys as a JWK set; they verify licence files",
    response: VendorKeys,
  }),
  checkIn: endpoint({
    method: 'POST',
    path: '/api/agent/check-in',
    access: 'agent',
    changes: [],
    audit: 'moveDevice',
    summary: 'Reports readers as they are now, or what changed since an earlier check-in',
    body: CheckIn,
    maxBodyBytes: 10 * 1024 * 1024,
    maxValues: countMost(z.extend(CheckIn, { devices: z.array(ReportedDevice).check(z.maxLength(hostReaderLimit)) })),
    response: CheckedIn,
  }),
  getDesired: endpoint({
    method: 'GET',
    path: '/api/agent/desired',
    access: 'agent',
    shows: [],
    summary:
      "The desired state of the readers in the host's zone; an agent that does not know phases has what has phases as halted until the last one, and one that does not know returns what a roll back has made desired again; one that does not keep times to their first open day, or does not know timeZoneHistory, has the day of the run as startDate",
    query: z.object({
      knowsPhases: z._default(z.stringbool(), false),
      knowsReturns: z._default(z.stringbool(), false),
      keepsTimes: z._default(z.stringbool(), false),
      knowsTimeZones: z._default(z.stringbool(), false),
    }),
    response: Desired,
  }),
  downloadContent: endpoint({
    method: 'GET',
    path: '/api/agent/content/{hash}',
    access: 'agent',
    shows: [],
    summary: "A content that the host's zone desires, by hash; supports Range and If-Range",
    params: z.object({ hash: ContentHash }),
    download: { contentType: 'application/octet-stream' },
    inPieces: true,
  }),
  reportOutcomes: endpoint({
    method: 'POST',
    path: '/api/agent/outcomes',
    access: 'agent',
    changes: [],
    audit: 'FirmwareInstalled',
    summary: 'Reports outcomes of publications on readers; sending one again changes nothing',
    // `sentAt`: as in a check-in.
    body: z.object({ sentAt: z.optional(Instant), outcomes: z.array(Outcome).check(z.maxLength(batchSize)) }),
    maxBodyBytes: 2 * 1024 * 1024,
    response: OutcomesReply,
  }),
  reportProgress: endpoint({
    method: 'POST',
    path: '/api/agent/progress',
    access: 'agent',
    changes: [],
    audit: { none: 'Progress of a publish; the publish itself is recorded (decision 12).' },
    summary: 'Reports progress of publications; entries that name no reader or publication of the zone are ignored',
    body: z.object({ progress: z.array(Progress).check(z.maxLength(batchSize)) }),
    maxBodyBytes: 192 * 1024,
  }),
  streamDesired: endpoint({
    method: 'GET',
    path: '/api/agent/events',
    access: 'agent',
    shows: [],
    summary: 'Sends "desired" when the desired state changes; a hint only',
    events: true,
  }),
}

import * as z from 'zod/mini'
import { DeviceModel, UpdateModelName } from './devices/device-models.ts'
import { endpoint } from './http/endpoint.ts'
import { VendorKeys } from './licences/licence-file.ts'
import { StopTime, TimeZone, UpdateTime } from './publications/update-time.ts'
import { CalendarDate, Instant, Line, Text, Uuid } from './text/text.ts'

/** SHA-256 of a content, in lower-case hexadecimal. */
export const ContentHash = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'))

/** A host counts as online for this many minutes after its last check-in. */
export const hostOnlineMinutes = 5
/** Per cent of battery below which nothing is given to a reader, unless the operator says otherwise. */
export const defaultMinBattery = 25
/** Most readers in one check-in and most outcomes in one report; a host with more sends several. */
export const batchSize = 500

export const Enrollment = z.object({
  /** What the location file holds. */
  zoneId: Uuid,
  hostName: Line(255),
  timeZone: TimeZone,
  agentVersion: Line(64),
  /** SHA-256 of the credential the agent has made for itself; the server never sees the credential before its first use. */
  credentialHash: ContentHash,
})
export type Enrollment = z.infer<typeof Enrollment>

export const Enrolled = z.object({
  hostId: z.string(),
  organizationId: z.string(),
  zoneName: z.string(),
  /** What licence files are verified with from now on, also without the server; a server before these says none. */
  vendorKeys: z.optional(VendorKeys),
})
export type Enrolled = z.infer<typeof Enrolled>

/** What a reader says it runs. `fileName` is null for a golden-standard CFG. */
export const ReportedConfiguration = z.object({ contentHash: ContentHash, fileName: z.nullable(Line(255)) })
export type ReportedConfiguration = z.infer<typeof ReportedConfiguration>

/** A reader as its host sees it now. Battery in per cent, null for a corded reader. */
export const ReportedDevice = z.object({
  // What cannot be a part of a path could never be looked at.
  serialNumber: Line(64).check(z.refine((serial) => serial !== '.' && serial !== '..', 'must be more than dots')),
  deviceType: DeviceModel,
  firmware: z.nullable(Line(64)),
  configuration: z.nullable(ReportedConfiguration),
  batteryHealth: z.nullable(z.number().check(z.minimum(0), z.maximum(100))),
  warrantyUntil: z.nullable(CalendarDate),
  /** The desired configuration's publication that it had been brought to before it was read; absent or null: none, or not known. */
  publication: z.optional(z.nullable(Uuid)),
  /** The same of the desired firmware. */
  firmwarePublication: z.optional(z.nullable(Uuid)),
})
export type ReportedDevice = z.infer<typeof ReportedDevice>

/** One bad reader does not refuse the batch, so each is judged on its own by ReportedDevice. */
export const CheckIn = z.object({
  timeZone: TimeZone,
  agentVersion: Line(64),
  devices: z.array(z.unknown()).check(z.maxLength(batchSize)),
})

export const CheckedIn = z.object({
  accepted: z.int(),
  refused: z.array(z.object({ index: z.int(), serialNumber: z.nullable(z.string()), reason: z.string() })),
})
export type CheckedIn = z.infer<typeof CheckedIn>

/** What all readers of a model in the host's zone shall be given, whatever it is. The newest publish of a model replaces the former one. */
const Publication = z.object({
  publication: Uuid,
  deviceType: UpdateModelName,
  revision: z.int(),
  contentHash: ContentHash,
  /** Bytes. */
  size: z.int(),
  updateTime: UpdateTime,
  publishedAt: z.iso.datetime(),
  stopTime: z._default(StopTime, null),
  /** Readers take it over when it comes, whatever the update time. */
  atOnce: z._default(z.boolean(), false),
  /** No reader shall begin with it until this is taken back; one that is being written to is finished. */
  halted: z._default(z.boolean(), false),
})

/** The configuration that all readers of a model in the host's zone shall run. */
export const DesiredConfiguration = z.extend(Publication, {
  content: z.enum(['cfg', 'file']),
  fileName: z.nullable(z.string()),
})
export type DesiredConfiguration = z.infer<typeof DesiredConfiguration>

/** A firmware that a reader ran before. `size` in bytes. */
const FormerFirmware = z.object({ version: z.string(), contentHash: ContentHash, size: z.int() })
export type FormerFirmware = z.infer<typeof FormerFirmware>

/** The firmware that all readers of a model in the host's zone shall run. */
export const DesiredFirmware = z.extend(Publication, {
  /** What readers call it; null for a file of the customer's own. */
  version: z.nullable(z.string()),
  fileName: z.string(),
  /** Versions that readers of the zone report now, as far as there is a release: what a host returns a reader to that is not well afterwards. */
  previous: z._default(z.array(FormerFirmware), []),
})
export type DesiredFirmware = z.infer<typeof DesiredFirmware>

/** One reader shall be given what is desired once more. `id` stands for the publication in its outcome, so it happens once. */
export const Reapplication = z.object({ id: Uuid, publication: Uuid, serialNumber: z.string() })
export type Reapplication = z.infer<typeof Reapplication>

export const Desired = z.object({
  zoneId: z.string(),
  zoneName: z.string(),
  configurations: z.array(DesiredConfiguration),
  firmware: z._default(z.array(DesiredFirmware), []),
  reapplications: z._default(z.array(Reapplication), []),
  /** Per cent of battery below which nothing is given to a reader. */
  minBattery: z._default(z.number(), defaultMinBattery),
})
export type Desired = z.infer<typeof Desired>

/** What became of a publication on one reader. `reason` says why it failed. */
export const Outcome = z.object({
  publication: Uuid,
  serialNumber: Line(64),
  outcome: z.enum(['applied', 'failed']),
  reason: z.nullable(Text(500)),
  at: Instant,
})
export type Outcome = z.infer<typeof Outcome>

/** Outcomes the server will never take, with the reason; all others are stored and need not be sent again. */
export const OutcomesReply = z.object({
  refused: z.array(z.object({ publication: z.string(), serialNumber: z.string(), reason: z.string() })),
})
export type OutcomesReply = z.infer<typeof OutcomesReply>

/** How far a publication has come on a reader or, where `serialNumber` is null, on its way to the host PC. */
export const Progress = z.object({
  publication: Uuid,
  serialNumber: z.nullable(Line(64)),
  percent: z.int().check(z.minimum(0), z.maximum(100)),
})
export type Progress = z.infer<typeof Progress>

export const hostEndpoints = {
  enrolHost: endpoint({
    method: 'POST',
    path: '/api/agent/enrol',
    access: 'license',
    changes: [],
    audit: 'enrolHost',
    summary: 'Enrols a host PC in a zone; the bearer credential is a licence number of the same organization',
    body: Enrollment,
    response: Enrolled,
  }),
  getVendorKeys: endpoint({
    method: 'GET',
    path: '/api/licensing/keys',
    access: 'public',
    shows: [],
    summary: "The vendor's public keys, which licence files are verified with, as a JWK set",
    response: VendorKeys,
  }),
  checkIn: endpoint({
    method: 'POST',
    path: '/api/agent/check-in',
    access: 'agent',
    changes: [],
    audit: { none: 'A report of how readers are is no change that somebody made (decided).' },
    summary: 'Reports readers as they are now; at most 500 a call',
    body: CheckIn,
    response: CheckedIn,
  }),
  getDesired: endpoint({
    method: 'GET',
    path: '/api/agent/desired',
    access: 'agent',
    shows: [],
    summary: "What the readers of the host's zone shall run",
    response: Desired,
  }),
  downloadContent: endpoint({
    method: 'GET',
    path: '/api/agent/content/{hash}',
    access: 'agent',
    shows: [],
    summary: "Content that the host's zone desires, by hash; takes Range and If-Range",
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
    summary: 'Reports what became of publications on readers; sending one again changes nothing',
    body: z.object({ outcomes: z.array(Outcome).check(z.maxLength(batchSize)) }),
    response: OutcomesReply,
  }),
  reportProgress: endpoint({
    method: 'POST',
    path: '/api/agent/progress',
    access: 'agent',
    changes: [],
    audit: { none: 'It says how far a publish has come; the publish itself is recorded (decided).' },
    summary: 'Says how far publications have come; what names no reader or publication of the zone is left out without a word',
    body: z.object({ progress: z.array(Progress).check(z.maxLength(batchSize)) }),
  }),
  streamDesired: endpoint({
    method: 'GET',
    path: '/api/agent/events',
    access: 'agent',
    shows: [],
    summary: 'Says "desired" at once when what the zone desires has changed; a hint, the desired state is the truth',
    events: true,
  }),
}

import * as z from 'zod/mini'
import { endpoint, organization } from '../http/endpoint.ts'
import { PageFacts, Paging } from '../http/paging.ts'
import { CommandList, ConfigurationDevice, configurationNameLength } from '../library.ts'
import { field } from '../text/fields.ts'
import { SerialNumber } from '../text/serial-number.ts'
import { byteLength, Instant, Line, Name, Text, Uuid } from '../text/text.ts'
import { typedBytes } from './limits.ts'

const identityLength = 1_000

const TypedText = Text(typedBytes).check(
  z.refine((text) => byteLength(text) <= typedBytes, 'must have at most 64 kB'),
  z.refine((text) => text.trim() !== '', 'must not be empty'),
)

/** The texts that the reader typed at the symbols `RDRRGMD` and `RDFWGVS`, without blanks at their ends; empty where it typed nothing. */
const Identity = z.object({ model: Text(identityLength), firmware: Text(identityLength) })

/** `id` and `version` are the library's; they are absent for commands of the builder that are not saved. `name` is the name of that time. */
const Configuration = z
  .object({
    id: z.optional(Uuid),
    version: z.optional(z.int().check(z.minimum(1))),
    name: Name(configurationNameLength),
    device: ConfigurationDevice,
  })
  .check(z.refine(({ id, version }) => (id === undefined) === (version === undefined), 'must have both id and version, or neither'))

/** The page makes `id`, so a record that is sent twice is one. `typedAt` may be long before the record is sent. */
export const NewDeskRecord = z.object({
  id: Uuid,
  serialNumber: SerialNumber,
  identity: Identity,
  configuration: Configuration,
  commands: CommandList,
  typed: TypedText,
  typedSlowly: z.boolean(),
  typedAt: Instant,
  browser: Line(300),
})
export type NewDeskRecord = z.infer<typeof NewDeskRecord>

/** `keptBy` and `by` are absent where that person was deleted. `size`: bytes of the text. */
export const DeskRecord = z.object({
  id: Uuid,
  serialNumber: z.string(),
  identity: z.object({ model: z.string(), firmware: z.string() }),
  configuration: z.object({ id: z.optional(Uuid), version: z.optional(z.int()), name: z.string(), device: z.string() }),
  typedSlowly: z.boolean(),
  typedAt: Instant,
  browser: z.string(),
  keptAt: Instant,
  keptBy: z.optional(z.string()),
  size: z.int(),
  withdrawn: z.optional(z.object({ at: Instant, by: z.optional(z.string()), reason: z.string() })),
})
export type DeskRecord = z.infer<typeof DeskRecord>

export const DeskRecordDetail = z.extend(DeskRecord, { commands: z.array(z.string()), typed: z.string() })
export type DeskRecordDetail = z.infer<typeof DeskRecordDetail>

const DeskRecordPage = z.object({ recordList: z.array(DeskRecord), ...PageFacts })
export type DeskRecordPage = z.infer<typeof DeskRecordPage>

/** Each narrows the list. `configuration`: an entry of the library. */
const DeskFilter = z.object({ serialNumber: z.optional(Text(200)), configuration: z.optional(Uuid) })
export type DeskFilter = z.infer<typeof DeskFilter>

export const Withdrawal = z.object({
  reason: field(z.pipe(z.string().check(z.trim()), Line(500)), { label: 'Reason', hint: 'Everybody who sees the record sees it.' }),
})

const base = '/api/codedm/organization/{organizationId}/desk-records'
const params = z.object({ id: Uuid })

export const deskEndpoints = {
  listDeskRecords: endpoint({
    method: 'GET',
    path: base,
    access: organization(),
    limitedRole: 'zones',
    shows: ['desk'],
    summary:
      'Records of readers that were set up at desks, the last first; a role limited to zones sees those of readers in them, and what the caller made',
    query: z.extend(Paging, DeskFilter.shape),
    response: DeskRecordPage,
  }),
  createDeskRecord: endpoint({
    method: 'POST',
    path: base,
    access: organization('manage:cfg'),
    limitedRole: 'everything',
    changes: ['desk', 'readers'],
    audit: 'createDeskRecord',
    summary: 'Keeps what a reader typed at a desk, and registers the reader where it is new; a record that is sent again is one',
    body: NewDeskRecord,
    // A control character takes six bytes in JSON.
    maxBodyBytes: 512 * 1024,
    response: DeskRecord,
  }),
  getDeskRecord: endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['desk'],
    summary: 'A record of a desk, whole, with the text and the commands that were sent',
    params,
    response: DeskRecordDetail,
  }),
  withdrawDeskRecord: endpoint({
    method: 'POST',
    path: `${base}/{id}/withdraw`,
    access: organization('manage:cfg'),
    changes: ['desk'],
    audit: 'withdrawDeskRecord',
    summary: 'Withdraws a record of a desk with a reason; it stays and says so',
    params,
    body: Withdrawal,
    response: DeskRecord,
  }),
  downloadDeskRecords: endpoint({
    method: 'GET',
    path: `${base}/download`,
    access: organization(),
    limitedRole: 'zones',
    shows: [],
    summary: 'Records of desks as CSV, the last first',
    query: DeskFilter,
    download: { contentType: 'text/csv; charset=utf-8' },
  }),
  getDeskKey: endpoint({
    method: 'GET',
    path: '/api/codedm/organization/{organizationId}/desk-key',
    access: organization('manage:cfg'),
    limitedRole: 'everything',
    shows: [],
    summary:
      'The key, in base64, under which a browser keeps records of a desk until they are stored; an account has one in each organization',
    response: z.object({ key: z.string() }),
  }),
}

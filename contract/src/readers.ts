import * as z from 'zod/mini'
import { endpoint, oneOf } from './http/endpoint.ts'
import { OptionalPaging, PageFacts } from './http/paging.ts'
import { field } from './text/fields.ts'
import { SerialNumber } from './text/serial-number.ts'
import { CalendarDate, Instant, OptionalLine, Text } from './text/text.ts'

/** `lastActivityDate`: the last report by a host PC, or the date given at registration, whichever is later (spec §3). */
export const Reader = z.object({
  readerId: z.int(),
  sn: z.string(),
  isLost: z.boolean(),
  lastActivityDate: z.nullable(Instant),
  codeMasterId: z.nullable(z.string()),
  // Present where the host PC that reported it has simulated readers (AGT-04).
  simulated: z.optional(z.literal(true)),
})
export type Reader = z.infer<typeof Reader>

export const ReaderPage = z.object({ readers: z.array(Reader), ...PageFacts })
export type ReaderPage = z.infer<typeof ReaderPage>

/** Online: active within the last 72 hours (decision 16). */
export const ConnectStatus = z.enum(['all', 'online', 'offline'])
export type ConnectStatus = z.infer<typeof ConnectStatus>

const ReaderId = z.coerce.number().check(z.int('must be a number'), z.minimum(1), z.maximum(2_147_483_647))

/** Absent fields stay; for a new reader they are empty. */
export const ReaderInput = z.object({
  readerId: z.optional(z.nullable(z.int())),
  sn: field(SerialNumber, {
    label: 'Serial number',
    hint: 'As on its label. Once a host PC reports it, its last activity shows here.',
  }),
  isLost: field(z.optional(z.boolean()), { label: 'It is lost' }),
  lastActivityDate: z.optional(z.nullable(z.union([Instant, CalendarDate], 'must be an instant in UTC, such as 2027-01-31T08:30:00Z'))),
  codeMasterId: field(z.optional(z.nullable(z.pipe(z.string().check(z.trim()), OptionalLine(100)))), {
    label: 'CodeMaster ID',
    hint: 'May be left empty.',
  }),
})
export type ReaderInput = z.infer<typeof ReaderInput>

/** Without the last activity, which host PCs report too. */
const edited = z.pick(Reader, { sn: true, isLost: true, codeMasterId: true })

const base = '/api/readers'
const params = z.object({ id: ReaderId })

export const readerEndpoints = {
  listReaders: endpoint({
    method: 'GET',
    path: `${base}/{customerid}/{connectstatus}`,
    access: 'self',
    shows: ['readers'],
    summary: 'The registered readers of an organization, by serial number; all, online or offline. Whole without paging parameters',
    params: z.object({ connectstatus: ConnectStatus }),
    query: z.extend(OptionalPaging, { textFilter: z._default(Text(200), '') }),
    response: ReaderPage,
    whole: Reader,
  }),
  createReader: endpoint({
    method: 'POST',
    path: `${base}/{customerid}`,
    access: oneOf('manage:firmware'),
    changes: ['readers'],
    audit: 'createReader',
    summary: 'Registers a reader for an organization',
    body: ReaderInput,
    response: Reader,
  }),
  getReader: endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    access: 'self',
    shows: ['readers'],
    summary: 'A registered reader of one’s organization (staff: of any)',
    params,
    response: Reader,
    etag: edited,
  }),
  updateReader: endpoint({
    method: 'PUT',
    path: `${base}/{id}`,
    access: oneOf('manage:firmware'),
    changes: ['readers'],
    audit: 'updateReader',
    summary: 'Changes a registered reader; what is absent stays',
    params,
    body: ReaderInput,
    response: Reader,
    etag: edited,
  }),
  deleteReader: endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    access: oneOf('manage:firmware'),
    changes: ['readers'],
    audit: 'deleteReader',
    summary: 'Deletes a reader from the registry; what host PCs report of it stays',
    params,
  }),
}

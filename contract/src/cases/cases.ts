import * as z from 'zod/mini'
import { endpoint, provider } from '../http/endpoint.ts'
import { OptionalPaging, PageFacts } from '../http/paging.ts'
import { EmailAddress } from '../text/email-address.ts'
import { field } from '../text/fields.ts'
import { Line, OptionalLine, Text } from '../text/text.ts'

/** Most characters of a description with its follow-ups, as Salesforce stores it. */
export const longestDescription = 32_000

/** The values of Salesforce's own lists. An installation may have others. */
export const caseStatuses = ['New', 'Working', 'Escalated', 'Closed'] as const
export const casePriorities = ['High', 'Medium', 'Low'] as const
export const caseOrigins = ['Web', 'Phone', 'Email'] as const
export const caseReasons = [
  'Installation',
  'Equipment Complexity',
  'Performance',
  'Breakdown',
  'Equipment Design',
  'Feedback',
  'Other',
] as const

/** A customer may close a case or reopen it. Other states are for staff. */
export const customersStatuses: readonly string[] = ['New', 'Closed']

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values, `must be one of ${values.join(', ')}`)
const CaseStatus = oneOf(caseStatuses)
export type CaseStatus = z.infer<typeof CaseStatus>

const ContactAddress = EmailAddress(80)

export const CaseEntry = z.object({
  attributes: z.object({ type: z.string(), url: z.string() }),
  id: z.string(),
  contactEmail: z.nullable(z.string()),
  status: z.string(),
  createdDate: z.string(),
  subject: z.string(),
})
export type CaseEntry = z.infer<typeof CaseEntry>

/** Newest first (spec §3). `message`: what the list leaves out. */
export const CaseList = z.object({
  success: z.boolean(),
  status: z.int(),
  message: z.string(),
  listCase: z.array(CaseEntry),
  ...z.partial(z.object(PageFacts)).shape,
})
export type CaseList = z.infer<typeof CaseList>

export const CaseDetail = z.object({
  status: z.string(),
  contactEmail: z.nullable(z.string()),
  subject: z.string(),
  description: z.string(),
  reason: z.nullable(z.string()),
  action_Plan__c: z.string(),
  priority: z.nullable(z.string()),
  origin: z.nullable(z.string()),
  model__c: z.nullable(z.string()),
  contactId: z.nullable(z.string()),
})
export type CaseDetail = z.infer<typeof CaseDetail>

const isWritten = z.refine<string>((text) => text.trim() !== '', 'must not be empty')
const asDescription = (schema: z.ZodMiniString) =>
  field(schema, {
    label: 'Description',
    hint: 'What you did, what you expected, and what happened instead. Serial numbers help.',
  })
const fields = {
  subject: field(Line(255), { label: 'Subject' }),
  description: asDescription(Text(longestDescription)),
  reason: field(z.nullable(oneOf(caseReasons)), { label: 'Reason' }),
  plan: field(Text(32_000), { label: 'Action plan', hint: 'What you have tried, and what should happen next. May be left empty.' }),
  priority: field(oneOf(casePriorities), { label: 'Priority' }),
  model: field(z.nullable(Line(80)), { label: 'Reader' }),
}
const RecordType = z.object({ id: z.nullish(OptionalLine(18)), developerName: z.nullish(OptionalLine(80)) })

/** The contact is the caller's own address. Only staff may name another (spec §3). */
export const CreateCase = z.object({
  ...fields,
  description: asDescription(Text(longestDescription).check(isWritten)),
  status: z._default(CaseStatus, 'New'),
  contactEmail: field(z.optional(ContactAddress), {
    label: 'Contact',
    hint: 'The e-mail address of the person whom the case is for. Left empty, it is yours.',
  }),
  reason: z._default(fields.reason, null),
  plan: z._default(fields.plan, ''),
  priority: z._default(fields.priority, 'Medium'),
  origin: z._default(oneOf(caseOrigins), 'Web'),
  model: z._default(fields.model, null),
  contactId: z.nullish(OptionalLine(40)),
  recordType: z.nullish(RecordType),
})
export type CreateCase = z.infer<typeof CreateCase>

/** Absent fields stay. `followUp` is added to the description. */
export const UpdateCase = z.object({
  id: Line(40),
  ...z.partial(z.object({ ...fields, status: field(CaseStatus, { label: 'Status' }) })).shape,
  followUp: field(z.optional(Text(4_000).check(isWritten)), { label: 'Your follow-up' }),
})
export type UpdateCase = z.infer<typeof UpdateCase>

export const CaseContact = z.object({ id: z.string(), contactEmail: z.string() })
export type CaseContact = z.infer<typeof CaseContact>

export const wholeCases = 20_000

// Without the description: a follow-up may be added whatever other users added.
const edited = z.pick(CaseDetail, { status: true, subject: true, reason: true, action_Plan__c: true, priority: true, model__c: true })

const base = '/api/lectern/crm'
const caseId = z.object({ id: Line(40) })
export const CaseAddress = z.object({
  address: field(Line(200), { label: 'E-mail address', hint: 'Whom the support desk knows by it.' }),
})
const query = z.extend(OptionalPaging, { textFilter: z._default(Text(200), ''), status: z.optional(CaseStatus) })

export const caseEndpoints = {
  listCases: endpoint({
    method: 'GET',
    path: `${base}/email/{address}`,
    access: 'self',
    limitedRole: 'everything',
    shows: ['cases'],
    summary: 'The support cases of an e-mail address: one’s own (staff: any), whole, or a page when paging is asked for',
    params: CaseAddress,
    query,
    response: CaseList,
  }),
  listAllCases: endpoint({
    method: 'GET',
    path: `${base}/admin`,
    access: provider('global:access:organizations'),
    shows: ['cases'],
    summary: 'Everybody’s support cases: whole, or a page when paging is asked for',
    query,
    response: CaseList,
  }),
  getCase: endpoint({
    method: 'GET',
    path: `${base}/id/{id}`,
    access: 'self',
    limitedRole: 'everything',
    // Its page has the response of each change.
    shows: [],
    summary: 'A support case',
    params: caseId,
    response: CaseDetail,
    etag: edited,
  }),
  verifyAddress: endpoint({
    method: 'GET',
    path: `${base}/verify/{address}`,
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    callsPerMinute: 10,
    summary: 'Whom the support desk knows by an e-mail address: one’s own (staff: any)',
    params: CaseAddress,
    response: z.array(CaseContact),
  }),
  createCase: endpoint({
    method: 'POST',
    path: base,
    access: 'self',
    limitedRole: 'everything',
    changes: ['cases'],
    audit: 'createCase',
    summary: 'Open a support case',
    body: CreateCase,
    maxBodyBytes: 512 * 1024,
    response: CaseEntry,
  }),
  updateCase: endpoint({
    method: 'PATCH',
    path: `${base}/update`,
    access: 'self',
    limitedRole: 'everything',
    changes: ['cases'],
    audit: 'updateCase',
    summary: 'Change a support case, or add a follow-up',
    body: UpdateCase,
    maxBodyBytes: 512 * 1024,
    response: CaseDetail,
    etag: edited,
  }),
  deleteCase: endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    access: 'self',
    limitedRole: 'everything',
    changes: ['cases'],
    audit: 'deleteCase',
    summary: 'Delete a support case',
    params: caseId,
  }),
}

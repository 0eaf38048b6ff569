import * as z from 'zod/mini'
import { endpoint, provider } from '../http/endpoint.ts'
import { OptionalPaging, PageFacts } from '../http/paging.ts'
import { Line, OptionalLine, Text } from '../text/text.ts'

/** Most characters of a case's parts; what Salesforce keeps. */
export const caseLimits = { subject: 255, description: 32_000, plan: 32_000, followUp: 4_000, model: 80, address: 80 }

/** The values of Salesforce's own lists. What a desk answers may have others besides. */
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

/** What customers may make of a case's status: closed, or open again. Anything else is the staff's to say. */
export const customersStatuses: readonly string[] = ['New', 'Closed']

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values, `must be one of ${values.join(', ')}`)
const CaseStatus = oneOf(caseStatuses)
export type CaseStatus = z.infer<typeof CaseStatus>

const EmailAddress = z.email('must be an e-mail address').check(z.maxLength(caseLimits.address))

/** A case in a list (spec §3). */
export const CaseEntry = z.object({
  attributes: z.object({ type: z.string(), url: z.string() }),
  id: z.string(),
  contactEmail: z.nullable(z.string()),
  status: z.string(),
  createdDate: z.string(),
  subject: z.string(),
})
export type CaseEntry = z.infer<typeof CaseEntry>

/** Cases (spec §3), the newest first; where a page is asked for also which one it is. `message` says what the list leaves out. */
export const CaseList = z.object({
  success: z.boolean(),
  status: z.int(),
  message: z.string(),
  listCase: z.array(CaseEntry),
  ...z.partial(z.object(PageFacts)).shape,
})
export type CaseList = z.infer<typeof CaseList>

/** A case (spec §3). Follow-ups stand in its description (follow-ups.ts). */
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

const written = z.refine<string>((text) => text.trim() !== '', 'must not be empty')
const fields = {
  subject: Line(caseLimits.subject),
  description: Text(caseLimits.description),
  reason: z.nullable(oneOf(caseReasons)),
  plan: Text(caseLimits.plan),
  priority: oneOf(casePriorities),
  model: z.nullable(Line(caseLimits.model)),
}
const RecordType = z.object({ id: z.nullish(OptionalLine(18)), developerName: z.nullish(OptionalLine(80)) })

/** A case to open (spec §3). Whose it is stays the caller's own address unless staff say otherwise. */
export const CreateCase = z.object({
  ...fields,
  description: fields.description.check(written),
  status: z._default(CaseStatus, 'New'),
  contactEmail: z.optional(EmailAddress),
  reason: z._default(fields.reason, null),
  plan: z._default(fields.plan, ''),
  priority: z._default(fields.priority, 'Medium'),
  origin: z._default(oneOf(caseOrigins), 'Web'),
  model: z._default(fields.model, null),
  contactId: z.nullish(OptionalLine(40)),
  recordType: z.nullish(RecordType),
})
export type CreateCase = z.infer<typeof CreateCase>

/** Which case, and what changes of it; what is absent stays. `followUp` is added to the description. */
export const UpdateCase = z.object({
  id: Line(40),
  ...z.partial(z.object({ ...fields, status: CaseStatus })).shape,
  followUp: z.optional(Text(caseLimits.followUp).check(written)),
})
export type UpdateCase = z.infer<typeof UpdateCase>

/** Somebody whom the desk knows by an address (spec §3). */
export const CaseContact = z.object({ id: z.string(), contactEmail: z.string() })
export type CaseContact = z.infer<typeof CaseContact>

/** Most cases of a list that is asked for whole. */
export const wholeCases = 20_000

/** What is edited of a case. Follow-ups are added to its description, whatever else is there. */
const edited = z.pick(CaseDetail, { status: true, subject: true, reason: true, action_Plan__c: true, priority: true, model__c: true })

const base = '/api/lectern/crm'
const caseId = z.object({ id: Line(40) })
const ofAddress = z.object({ address: Line(200) })
const query = z.extend(OptionalPaging, { textFilter: z._default(Text(200), ''), status: z.optional(CaseStatus) })

export const caseEndpoints = {
  listCases: endpoint({
    method: 'GET',
    path: `${base}/email/{address}`,
    access: 'self',
    shows: ['cases'],
    summary: 'The support cases of an e-mail address: one’s own (staff: any), whole, or a page when paging is asked for',
    params: ofAddress,
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
    shows: ['cases'],
    summary: 'A support case',
    params: caseId,
    response: CaseDetail,
    etag: edited,
  }),
  verifyAddress: endpoint({
    method: 'GET',
    path: `${base}/verify/{address}`,
    access: 'self',
    shows: [],
    callsPerMinute: 10,
    summary: 'Whom the support desk knows by an e-mail address: one’s own (staff: any)',
    params: ofAddress,
    response: z.array(CaseContact),
  }),
  createCase: endpoint({
    method: 'POST',
    path: base,
    access: 'self',
    changes: ['cases'],
    audit: 'createCase',
    summary: 'Open a support case',
    body: CreateCase,
    response: CaseEntry,
  }),
  updateCase: endpoint({
    method: 'PATCH',
    path: `${base}/update`,
    access: 'self',
    changes: ['cases'],
    audit: 'updateCase',
    summary: 'Change a support case, or add a follow-up',
    body: UpdateCase,
    response: CaseDetail,
    etag: edited,
  }),
  deleteCase: endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    access: 'self',
    changes: ['cases'],
    audit: 'deleteCase',
    summary: 'Delete a support case',
    params: caseId,
  }),
}

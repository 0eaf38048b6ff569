import * as z from 'zod/mini'
import { endpoint, organization, provider } from '../http/endpoint.ts'
import { OptionalPaging, PageFacts } from '../http/paging.ts'
import { Instant, Text, Uuid } from '../text/text.ts'

/**
 * Spec §3.
 * `organizationId`: null for changes outside organizations.
 * `initiatorEmail`: null where a host PC did it; `hostName` is that host PC.
 * `user`: named as at that time; absent where unknown or deleted.
 * `simulated`: what it names or counts was simulated then.
 * `rollout`: the rollout that it is about. `rolloutName`: what that is called now. `rolloutZones`: how its zones were chosen, in words
 * within a sentence.
 * `folded`: how many entries it represents, where they are folded.
 * The other optional parts depend on the change type.
 */
export const AuditEntry = z.object({
  id: z.string(),
  organizationId: z.nullable(z.string()),
  initiatorEmail: z.nullable(z.string()),
  user: z.optional(z.object({ name: z.string(), email: z.string() })),
  inEffectSince: z.iso.datetime(),
  changeType: z.string(),
  target: z.optional(z.string()),
  newValue: z.optional(z.string()),
  zoneName: z.optional(z.string()),
  version: z.optional(z.string()),
  configName: z.optional(z.string()),
  deviceSerial: z.optional(z.string()),
  address: z.optional(z.string()),
  requestId: z.optional(z.string()),
  simulated: z.optional(z.literal(true)),
  hostName: z.optional(z.string()),
  rollout: z.optional(Uuid),
  folded: z.optional(z.object({ zones: z.int(), parts: z.int(), readers: z.int() })),
  rolloutName: z.optional(z.string()),
  rolloutZones: z.optional(z.string()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/**
 * Each word of `textFilter` must occur in the entry. `person`: an e-mail address. `device`: a serial number. `from` is inclusive, `to` is
 * not.
 */
export const AuditFilter = z.object({
  textFilter: z.optional(Text(200)),
  changeType: z.optional(Text(100)),
  person: z.optional(Text(400)),
  zone: z.optional(Text(400)),
  device: z.optional(Text(200)),
  from: z.optional(Instant),
  to: z.optional(Instant),
  rollout: z.optional(Uuid),
})
export type AuditFilter = z.infer<typeof AuditFilter>

/** Entries of a filter are counted up to this; beyond, `hasMore` is true. */
export const countedEntries = 10_000

export const AuditPage = z.object({
  entryList: z.array(AuditEntry),
  ...PageFacts,
  hasMore: z.boolean(),
})
export type AuditPage = z.infer<typeof AuditPage>

const AuditChoices = z.object({
  changeTypes: z.array(z.object({ changeType: z.string(), count: z.int() })),
  people: z.array(z.string()),
  zones: z.array(z.string()),
})
export type AuditChoices = z.infer<typeof AuditChoices>

/** `before`: the id of the entry above the page. With it the page stays the same as entries are added. */
const Query = z.extend(z.extend(AuditFilter, OptionalPaging.shape), { before: z.optional(Uuid) })
/**
 * `fold`: one entry per rollout. With `zone`, one per rollout in that zone; with `changeType`, one per rollout that has such entries.
 * Ignored with `textFilter`, `device` or `rollout`, which look for single entries.
 */
const FoldedQuery = z.extend(Query, { fold: z._default(z.stringbool(), false) })

const csv = { contentType: 'text/csv; charset=utf-8' }
const ofOrganization = '/api/codedm/organization/{organizationId}/audit-log'
const ofVendor = '/api/lectern/admin/audit-log'
const readers = organization('access:audit_log')
const staff = provider('global:access:organizations', 'access:audit_log')

export const auditEndpoints = {
  listAuditEntries: endpoint({
    method: 'GET',
    path: ofOrganization,
    access: readers,
    limitedRole: 'zones',
    shows: ['audit'],
    summary: 'The audit log of an organization, newest first: whole, or a page when paging is asked for; with fold, one entry per rollout',
    query: FoldedQuery,
    response: AuditPage,
    whole: AuditEntry,
  }),
  listDeviceAuditEntries: endpoint({
    method: 'GET',
    path: `${ofOrganization}/device/{serialNumber}`,
    access: readers,
    limitedRole: 'zones',
    shows: ['audit'],
    summary: 'The audit log of a reader, newest first: whole, or a page when paging is asked for',
    params: z.object({ serialNumber: Text(200) }),
    query: Query,
    response: AuditPage,
    whole: AuditEntry,
  }),
  getAuditChoices: endpoint({
    method: 'GET',
    path: `${ofOrganization}/choices`,
    access: readers,
    limitedRole: 'zones',
    shows: ['audit'],
    summary: 'What the audit log of an organization can be filtered by',
    response: AuditChoices,
  }),
  downloadAuditLog: endpoint({
    method: 'GET',
    path: `${ofOrganization}/download`,
    access: readers,
    limitedRole: 'zones',
    shows: [],
    summary: 'All entries of the filter as CSV, newest first',
    query: AuditFilter,
    download: csv,
  }),
  listVendorAuditEntries: endpoint({
    method: 'GET',
    path: ofVendor,
    access: staff,
    shows: ['audit'],
    summary: 'Changes that concern no organization, newest first: whole, or a page when paging is asked for',
    query: Query,
    response: AuditPage,
    whole: AuditEntry,
  }),
  getVendorAuditChoices: endpoint({
    method: 'GET',
    path: `${ofVendor}/choices`,
    access: staff,
    shows: ['audit'],
    summary: 'What the log of changes that concern no organization can be filtered by',
    response: AuditChoices,
  }),
  downloadVendorAuditLog: endpoint({
    method: 'GET',
    path: `${ofVendor}/download`,
    access: staff,
    shows: [],
    summary: 'All changes of the filter that concern no organization as CSV, newest first',
    query: AuditFilter,
    download: csv,
  }),
}

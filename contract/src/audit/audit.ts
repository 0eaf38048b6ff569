import * as z from 'zod/mini'
import { endpoint, organization, provider } from '../http/endpoint.ts'
import { OptionalPaging, PageFacts } from '../http/paging.ts'
import { Instant, Text, Uuid } from '../text/text.ts'

/** An entry of the audit log (spec §3). Besides organization, initiator, instant and type it has what its change type has. */
export const AuditEntry = z.object({
  id: z.string(),
  /** Null for a change that concerns no organization, such as one of the product catalogue. */
  organizationId: z.nullable(z.string()),
  /** Null where a host PC did it, which is nobody. */
  initiatorEmail: z.nullable(z.string()),
  /** Absent when there is no such person, or no longer. The name is the one they had then; their address where they had none. */
  user: z.optional(z.object({ name: z.string(), email: z.string() })),
  inEffectSince: z.iso.datetime(),
  changeType: z.string(),
  target: z.optional(z.string()),
  newValue: z.optional(z.string()),
  zoneName: z.optional(z.string()),
  version: z.optional(z.string()),
  configName: z.optional(z.string()),
  deviceSerial: z.optional(z.string()),
  /** Where it came from: the network address, and the request's id as answers carry it. */
  address: z.optional(z.string()),
  requestId: z.optional(z.string()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Which entries a list shows: those to which all that is given applies. */
export const AuditFilter = z.object({
  /** Every word of it occurs in what the entry says: person, zone, reader, target, new value, configuration or version. */
  textFilter: z.optional(Text(200)),
  changeType: z.optional(Text(100)),
  /** The initiator's address. */
  person: z.optional(Text(400)),
  /** The zone's name. */
  zone: z.optional(Text(400)),
  /** The reader's serial number. */
  device: z.optional(Text(200)),
  /** At this instant or later. */
  from: z.optional(Instant),
  /** Before this instant. */
  to: z.optional(Instant),
})
export type AuditFilter = z.infer<typeof AuditFilter>

/** Entries are counted up to here where a filter leaves nothing that is counted already. */
export const countedEntries = 10_000

export const AuditPage = z.object({
  entryList: z.array(AuditEntry),
  ...PageFacts,
  /** Whether there are more than `totalCount`, at which counting stopped. */
  hasMore: z.boolean(),
})
export type AuditPage = z.infer<typeof AuditPage>

/** What a log can be filtered by: how many entries of each type it has, who wrote it, and its zones, deleted ones too. */
const AuditChoices = z.object({
  changeTypes: z.array(z.object({ changeType: z.string(), count: z.int() })),
  people: z.array(z.string()),
  zones: z.array(z.string()),
})
export type AuditChoices = z.infer<typeof AuditChoices>

/** A page starts at `PageNumber`, or behind an entry, where it stays however many are written meanwhile. */
const Query = z.extend(z.extend(AuditFilter, OptionalPaging.shape), { before: z.optional(Uuid) })

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
    shows: ['audit'],
    summary: 'The audit log of an organization, newest first: whole, or a page when paging is asked for',
    query: Query,
    response: AuditPage,
    whole: AuditEntry,
  }),
  listDeviceAuditEntries: endpoint({
    method: 'GET',
    path: `${ofOrganization}/device/{serialNumber}`,
    access: readers,
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
    shows: ['audit'],
    summary: 'What the audit log of an organization can be filtered by',
    response: AuditChoices,
  }),
  downloadAuditLog: endpoint({
    method: 'GET',
    path: `${ofOrganization}/download`,
    access: readers,
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

import * as z from 'zod/mini'
import { Direction } from '../devices/devices.ts'
import { endpoint, organization } from '../http/endpoint.ts'
import { PageFacts, Paging } from '../http/paging.ts'
import { field } from '../text/fields.ts'
import { SerialNumber } from '../text/serial-number.ts'
import { CalendarDate, Instant, OptionalLine, Text, Uuid } from '../text/text.ts'

export const LicenceType = z.object({
  licenseId: z.int(),
  name: z.string(),
  needPurchaseOrder: z.boolean(),
  isDefault: z.boolean(),
})
export type LicenceType = z.infer<typeof LicenceType>

/**
 * Spec §3. Host PCs enroll in the organization's zones with `licenseNumber`, so callers without manage:licences get only what
 * `shortenLicenceNumber` leaves of it (decision 46). `licenseId`: its type's id. `hasFile`: a signed licence file was generated.
 * `issuedBy`, `revoked.by`: e-mail addresses of that time; null for the vendor.
 */
export const Licence = z.object({
  id: Uuid,
  serialNumbers: z.array(z.string()),
  licenseNumber: z.string(),
  purchaseOrderNumber: z.nullable(z.string()),
  date: Instant,
  licenseId: z.int(),
  hasFile: z.boolean(),
  issuedBy: z.optional(z.nullable(z.string())),
  revoked: z.optional(z.object({ at: Instant, by: z.nullable(z.string()) })),
})
export type Licence = z.infer<typeof Licence>

export const LicencePage = z.object({ licenses: z.array(Licence), ...PageFacts })
export type LicencePage = z.infer<typeof LicencePage>

/** The name of a licence for people whom its number must not let enroll a host PC. */
export const shortenLicenceNumber = (number: string): string => `…${number.slice(-4)}`

/**
 * `file`: the signed file, which a host agent verifies offline; null for callers without manage:licences too. `activeHosts`: enrolled with
 * it and not removed.
 */
export const LicenceDetails = z.extend(Licence, {
  file: z.nullable(z.object({ name: z.string(), content: z.string() })),
  activeHosts: z.int(),
})
export type LicenceDetails = z.infer<typeof LicenceDetails>

/** `zone`: null where it was deleted. `removedAt`: refused since. */
export const LicenceHost = z.object({
  id: Uuid,
  name: z.string(),
  zone: z.nullable(z.object({ id: Uuid, name: z.string() })),
  enrolledAt: Instant,
  isOnline: z.boolean(),
  removedAt: z.optional(Instant),
  simulated: z.optional(z.literal(true)),
})
export type LicenceHost = z.infer<typeof LicenceHost>

export const LicenceHostPage = z.object({ hosts: z.array(LicenceHost), ...PageFacts })
export type LicenceHostPage = z.infer<typeof LicenceHostPage>

export const LicenceColumn = z.enum(['LicenseNumber', 'PurchaseOrderNumber', 'Date'])
export type LicenceColumn = z.infer<typeof LicenceColumn>

export const LicenceSort = z.object({
  ColumnName: z._default(LicenceColumn, 'Date'),
  Direction: z._default(Direction, 'Descending'),
})
export type LicenceSort = z.infer<typeof LicenceSort>

/**
 * Each word of the text must occur in the purchase order, the serial numbers, or the number as far as the caller sees it. Days are in UTC;
 * the first and the last are included.
 */
export const LicenceFilter = z.object({
  textFilter: z._default(Text(200), ''),
  startDate: z.optional(CalendarDate),
  endDate: z.optional(CalendarDate),
})
export type LicenceFilter = z.infer<typeof LicenceFilter>

const trimmed = (schema: z.ZodMiniType<string, string>) => z.pipe(z.string().check(z.trim()), schema)

export const serialNumbersPerLicence = 500

const SerialNumbers = z.array(SerialNumber).check(
  z.minLength(1, 'must not be empty'),
  z.maxLength(serialNumbersPerLicence, `must be at most ${serialNumbersPerLicence}`),
  z.overwrite((serials) => [...new Set(serials)]),
)
const licenceNumber = /^(|[A-Za-z0-9](?=[A-Za-z0-9-]{11,63}$)[A-Za-z0-9-]*)$/
const LicenceNumber = z.string().check(z.regex(licenceNumber, 'must be 12 to 64 letters, digits and dashes, or empty'))

/** Without a number, a new one is made; without a type, the organization's default is used (decision 16). */
export const LicenceInput = z.object({
  serialNumbers: field(SerialNumbers, { label: 'Serial numbers' }),
  licenseNumber: field(z.optional(z.nullable(trimmed(LicenceNumber))), {
    label: 'Licence number',
    hint: 'If left empty, it gets a new one. It opens your zones to host PCs, so it must be hard to guess.',
  }),
  purchaseOrderNumber: field(z.optional(z.nullable(trimmed(OptionalLine(64)))), {
    label: 'Purchase order number',
    hint: 'May be left empty.',
  }),
  licenseId: field(z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647))), { label: 'Type' }),
})
export type LicenceInput = z.infer<typeof LicenceInput>

/** Spec §3. */
export const purchaseOrderProblem = (
  type: Pick<LicenceType, 'name' | 'needPurchaseOrder'>,
  purchaseOrder: string | null | undefined,
): string | null =>
  type.needPurchaseOrder && !purchaseOrder?.trim() ? `A licence of the type ${type.name} needs a purchase order number.` : null

const base = '/api/licensing/organization/{organizationId}/licenses'

export const licenceEndpoints = {
  listLicences: endpoint({
    method: 'GET',
    path: base,
    access: organization(),
    shows: ['licences'],
    summary: 'A page of licences; PageNumber starts at 0',
    query: z.extend(z.extend(LicenceFilter, LicenceSort.shape), Paging.shape),
    response: LicencePage,
  }),
  listLicenceTypes: endpoint({
    method: 'GET',
    path: `${base}/license-types`,
    access: organization(),
    shows: [],
    summary: 'What a licence can be for',
    response: z.array(LicenceType),
  }),
  createLicence: endpoint({
    method: 'POST',
    path: `${base}/create`,
    access: organization('manage:licences'),
    changes: ['licences'],
    audit: 'createLicence',
    summary: 'Records a licence for serial numbers',
    body: LicenceInput,
    maxBodyBytes: 128 * 1024,
    response: LicenceDetails,
  }),
  generateLicence: endpoint({
    method: 'POST',
    path: `${base}/generate`,
    access: organization('manage:licences'),
    changes: ['licences'],
    audit: 'generateLicence',
    summary: 'Records a licence for serial numbers, with a signed licence file that a host agent verifies offline',
    body: LicenceInput,
    maxBodyBytes: 128 * 1024,
    response: LicenceDetails,
  }),
  getLicence: endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    access: organization(),
    shows: ['licences'],
    summary: 'A licence with its licence file, where it has one',
    params: z.object({ id: Uuid }),
    response: LicenceDetails,
  }),
  listLicenceHosts: endpoint({
    method: 'GET',
    path: `${base}/{id}/hosts`,
    access: organization(),
    shows: ['licences', 'zones'],
    summary: 'A page of the host PCs that a licence enrolled, the newest first; PageNumber starts at 0',
    params: z.object({ id: Uuid }),
    query: Paging,
    response: LicenceHostPage,
  }),
  revokeLicence: endpoint({
    method: 'POST',
    path: `${base}/{id}/revoke`,
    access: organization('manage:licences'),
    changes: ['licences', 'zones'],
    audit: 'revokeLicence',
    summary:
      'Lets a licence enroll no further host PC; with `removeHosts`, which needs manage:firmware, also removes those that it enrolled',
    params: z.object({ id: Uuid }),
    body: z.object({ removeHosts: z.boolean() }),
    response: LicenceDetails,
  }),
}

import * as z from 'zod/mini'
import { type UpdateModel, UpdateModelName } from '../devices/device-models.ts'
import { endpoint, organization, provider } from '../http/endpoint.ts'
import { Message } from '../http/problems.ts'
import { safetyFields, safetyTexts } from '../publications/phases.ts'
import { DesiredFacts, PublishedMessage, Reapplied, Result, Standing } from '../publications/publications.ts'
import { RepairInput, RepairPlan } from '../publications/repairs.ts'
import { oneStart, startFields } from '../publications/update-time.ts'
import { rolloutFields } from '../rollouts/rollout-name.ts'
import { field } from '../text/fields.ts'
import { Instant, Name, Text, Uuid, unusableName } from '../text/text.ts'

export const maxFirmwareBytes = 1024 ** 3
/** The version of a publish that means the newest release offered at that moment (decision 14). */
export const latestVersion = 'latest'

/** Spec §5. */
export const firmwareFileTypes: Record<UpdateModel, readonly string[]> = {
  CR1100: ['.crvfw'],
  CR2700: ['.crvfw'],
  'A271/2': ['.crbfw'],
  CR1500: ['.crvfw'],
  CR5200: ['.crvfw'],
  V1300: ['.crbfw'],
  V4500: ['.ufw', '.crvfw'],
}

export function firmwareFileProblem(device: UpdateModel, { name, size }: { name: string; size: number }): string | null {
  const types = firmwareFileTypes[device]
  // At least two characters before the file type, all of them printable.
  const isNamed = /^[^/\\\p{Cc}]{2,200}$/u.test(name) && unusableName(name) === null
  if (!isNamed || !types.some((type) => name.length > type.length && name.toLowerCase().endsWith(type)))
    return `File type must be ${types.join(', ')}`
  return size === 0 ? `The file ${name} is empty.` : null
}

// The length of a version that a reader reports.
export const FirmwareVersionText = Name(64)
/** The calls of one press of Publish share these, as with configurations. */

const isNoKeyword = z.refine<string>(
  (version) => version.toLowerCase() !== latestVersion,
  'must be a number: "latest" always means the newest release',
)
// Multipart bodies end lines with two characters, so they are normalized.
const Notes = z._default(z.pipe(z.string().check(z.overwrite((text) => text.replaceAll('\r\n', '\n'))), Text(1_000)), '')

/** The fields of a release beside its file. */
export const ReleaseFields = z.object({
  device: field(UpdateModelName, { label: 'Model' }),
  version: field(FirmwareVersionText.check(isNoKeyword), { label: 'Version', hint: 'As readers report it, such as 4.12.0.' }),
  notes: field(Notes, { label: 'Notes', hint: 'What is new.' }),
})
export type ReleaseFields = z.infer<typeof ReleaseFields>

/** `size`: bytes. `zoneCount`: how many zones desire it. */
export const FirmwareRelease = z.object({
  id: Uuid,
  device: UpdateModelName,
  version: z.string(),
  notes: z.string(),
  fileName: z.string(),
  contentHash: z.string(),
  size: z.int(),
  isOffered: z.boolean(),
  zoneCount: z.int(),
  createdOn: Instant,
  createdBy: z.string(),
  /** The e-mail address where the person has no name, or is gone. */
  createdByName: z.string(),
})
export type FirmwareRelease = z.infer<typeof FirmwareRelease>

/** `latest`: the version that a publish of "latest" takes; absent from all others. */
export const FirmwareVersion = z.object({ version: z.string(), latest: z.optional(z.literal(true)) })
export type FirmwareVersion = z.infer<typeof FirmwareVersion>

/** A version, or the name of the customer's own file; null where nothing is desired (decision 14). */
export const ZoneFirmware = z.object({ version: z.nullable(z.string()) })
export type ZoneFirmware = z.infer<typeof ZoneFirmware>

export const RunningFirmware = z.object({ version: z.string(), count: z.int() })
export type RunningFirmware = z.infer<typeof RunningFirmware>

/** `firmware`: a version, or the name of the customer's own file. `drifted`: it had what is desired and reports another version. */
export const DeviceFirmware = z.object({
  standing: Standing,
  desired: z.optional(z.object({ firmware: z.string(), ...DesiredFacts })),
  reported: z.optional(z.string()),
  result: z.optional(Result),
  reapplication: z.optional(Reapplied),
})
export type DeviceFirmware = z.infer<typeof DeviceFirmware>

const zoneBase = '/api/codedm/organization/{organizationId}/location/{location}/device/{device}/firmware' as const
const zoneParams = z.object({ location: Uuid, device: UpdateModelName })
const ofDevice = '/api/codedm/organization/{organizationId}/device/{serialNumber}/firmware' as const
const device = z.object({ serialNumber: Text(64) })
const releases = '/api/lectern/admin/firmware' as const
const releaseParams = z.object({ id: Uuid })
const staff = provider('global:access:organizations')

export const firmwareEndpoints = {
  getZoneFirmware: endpoint({
    method: 'GET',
    path: zoneBase,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices'],
    summary: 'The firmware that the readers of a model in a zone must run',
    params: zoneParams,
    response: ZoneFirmware,
  }),
  listRunningFirmware: endpoint({
    method: 'GET',
    path: `${zoneBase}/running`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices'],
    summary: 'The firmware versions that the readers of a model in a zone report, the newest first',
    params: zoneParams,
    response: z.array(RunningFirmware),
  }),
  getDeviceFirmware: endpoint({
    method: 'GET',
    path: ofDevice,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices', 'schedule'],
    summary: 'The firmware that a reader must run, and the one that it reports',
    params: device,
    response: DeviceFirmware,
  }),
  previewReapplyFirmware: endpoint({
    method: 'GET',
    path: `${ofDevice}/reapply`,
    access: organization('manage:firmware'),
    limitedRole: 'zones',
    shows: ['devices'],
    summary: 'What a re-apply would do: whether the reader gets the firmware, is missing or cannot take it',
    params: device,
    response: RepairPlan,
  }),
  reapplyFirmware: endpoint({
    method: 'POST',
    path: `${ofDevice}/reapply`,
    access: organization('manage:firmware'),
    limitedRole: 'zones',
    changes: ['devices'],
    audit: 'reapplyFirmware',
    summary: 'Applies the desired firmware again to a reader where it drifted or failed; a second request before that changes nothing',
    params: device,
    body: RepairInput,
    response: Message,
  }),
  publishFirmwareVersion: endpoint({
    method: 'POST',
    path: `${zoneBase}/version`,
    access: organization('manage:firmware'),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts'],
    audit: 'ZoneFirmwareChange',
    summary: 'Publishes a firmware release to a zone and device model; "latest" is the newest',
    params: zoneParams,
    body: z.object({ firmwareVersion: FirmwareVersionText, ...startFields, ...safetyFields, ...rolloutFields }).check(oneStart),
    response: PublishedMessage,
  }),
  publishFirmwareFile: endpoint({
    method: 'POST',
    path: `${zoneBase}/file`,
    access: organization('manage:firmware'),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts'],
    audit: 'ZoneFirmwareChange',
    summary: "Publishes a firmware file of the customer's own to a zone and device model",
    params: zoneParams,
    upload: { maxBytes: maxFirmwareBytes, fields: z.object({ ...startFields, ...safetyTexts, ...rolloutFields }).check(oneStart) },
    response: PublishedMessage,
  }),
  listAvailableFirmware: endpoint({
    method: 'GET',
    path: '/api/codedm/device/{device}/available-firmware',
    access: 'self',
    limitedRole: 'everything',
    shows: ['releases'],
    summary: 'The firmware versions that can be chosen for a model, the newest first',
    params: z.object({ device: UpdateModelName }),
    response: z.array(FirmwareVersion),
  }),
  listFirmwareReleases: endpoint({
    method: 'GET',
    path: releases,
    access: staff,
    shows: ['releases'],
    summary: 'Every firmware release, by model, the newest first',
    response: z.array(FirmwareRelease),
  }),
  uploadFirmwareRelease: endpoint({
    method: 'POST',
    path: releases,
    access: staff,
    changes: ['releases'],
    audit: 'uploadFirmwareRelease',
    summary: 'Uploads a firmware release of a model',
    upload: { maxBytes: maxFirmwareBytes, fields: ReleaseFields },
    response: FirmwareRelease,
  }),
  offerFirmwareRelease: endpoint({
    method: 'PUT',
    path: `${releases}/{id}/offered`,
    access: staff,
    changes: ['releases'],
    audit: 'offerFirmwareRelease',
    summary: 'Withdraws a firmware release, or offers it again; zones that have it keep it',
    params: releaseParams,
    body: z.object({ isOffered: z.boolean() }),
    response: FirmwareRelease,
  }),
  deleteFirmwareRelease: endpoint({
    method: 'DELETE',
    path: `${releases}/{id}`,
    access: staff,
    changes: ['releases'],
    audit: 'deleteFirmwareRelease',
    summary: 'Deletes a firmware release that was withdrawn; zones that have it keep it',
    params: releaseParams,
  }),
}

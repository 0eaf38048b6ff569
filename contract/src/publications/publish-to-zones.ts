import * as z from 'zod/mini'
import { UpdateModelName, updateModels } from '../devices/device-models.ts'
import { FirmwareVersionText, maxFirmwareBytes } from '../firmware/firmware.ts'
import { endpoint, organization } from '../http/endpoint.ts'
import { RolloutName } from '../rollouts/rollout-name.ts'
import { Name, Text, Uuid } from '../text/text.ts'
import { Limits, safetyFields } from './phases.ts'
import { CfgText, maxScriptBytes, versionChoice } from './publications.ts'
import { outsideWindow, UpdateTime } from './update-time.ts'

export const maxZones = 5_000
export const maxCfgTogether = 2_000_000

/** In hexadecimal, as `uploadScript` and `uploadFirmware` return it. */
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'))
const FileName = Name(210)

const ZoneIds = z.array(Uuid).check(z.minLength(1, 'Choose at least one zone.'), z.maxLength(maxZones, `Choose at most ${maxZones} zones.`))

/** Zones that have all of `tags`, one of `anyTag`, and `search` in their name; `{}`: every zone. Case does not matter. */
export const ZoneFilter = z.object({
  tags: z.optional(z.array(Name(40)).check(z.maxLength(20, 'Name at most 20 tags.'))),
  anyTag: z.optional(z.array(Name(40)).check(z.minLength(1, 'Name a tag.'), z.maxLength(1_000, 'Name at most 1,000 tags.'))),
  search: z.optional(Text(200)),
})
export type ZoneFilter = z.infer<typeof ZoneFilter>

export const ZoneChoice = z.union([z.strictObject({ ids: ZoneIds }), z.strictObject({ filter: ZoneFilter })], {
  error: 'Give the zones as "ids" or as a "filter".',
})
export type ZoneChoice = z.infer<typeof ZoneChoice>

/** A content of a part. Scripts and firmware files are uploaded first, and named here by their hash. */
export const PartContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cfg'), text: CfgText, fileName: z.optional(FileName) }),
  z.object({ kind: z.literal('script'), sha256: Sha256, fileName: FileName }),
  z.object({ kind: z.literal('saved'), ...versionChoice }),
  z.object({ kind: z.literal('firmware-file'), sha256: Sha256, fileName: FileName }),
  z.object({ kind: z.literal('firmware'), version: FirmwareVersionText }),
])
export type PartContent = z.infer<typeof PartContent>

export const isFirmwarePart = ({ kind }: Pick<PartContent, 'kind'>): boolean => kind === 'firmware' || kind === 'firmware-file'

export const PartInput = z.object({ model: UpdateModelName, content: PartContent })
export type PartInput = z.infer<typeof PartInput>

const isOnePerModel = z.refine<PartInput[]>(
  (parts) => new Set(parts.map(({ model, content }) => `${model} ${isFirmwarePart(content)}`)).size === parts.length,
  'Give one configuration and one firmware per model at most.',
)
const isShort = z.refine<PartInput[]>(
  (parts) => parts.reduce((sum, { content }) => sum + (content.kind === 'cfg' ? content.text.length : 0), 0) <= maxCfgTogether,
  `The configurations are longer than ${maxCfgTogether} characters together.`,
)

export const PublishedParts = z
  .array(PartInput)
  .check(z.maxLength(2 * updateModels.length, `Give at most ${2 * updateModels.length} parts.`), isOnePerModel, isShort)

/** Bytes; enough for `PublishedParts`. */
export const maxPartsBytes = 7 * 1024 * 1024

/** When a publish begins: now, or at an update time on the clock of each host PC. */
export const PublishStart = z.union([z.strictObject({ now: z.literal(true), outsideWindow }), z.strictObject({ updateTime: UpdateTime })], {
  error: 'Give "when" as { "now": true } or as { "updateTime": "02:00" }.',
})
export type PublishStart = z.infer<typeof PublishStart>

/**
 * `key`: becomes the rollout's id; the same call with the same key publishes once. `name`: of the rollout. `limits`, `phases`: absent: the
 * organization's. `expectedZones`: the zones that the user saw, or how many. Where the chosen zones have changed since, nothing is published.
 */
export const PublishInput = z.object({
  key: Uuid,
  name: z.optional(RolloutName),
  zones: ZoneChoice,
  expectedZones: z.optional(z.union([z.int().check(z.minimum(1), z.maximum(maxZones)), ZoneIds])),
  parts: PublishedParts.check(z.minLength(1, 'Give at least one part.')),
  when: PublishStart,
  limits: z.optional(z.partial(Limits)),
  phases: safetyFields.phases,
  withoutHost: z.optional(z.literal(true, 'If "withoutHost" is given, it must be true.')),
})
export type PublishInput = z.infer<typeof PublishInput>

export const Published = z.object({ rolloutId: Uuid, zones: z.array(z.object({ id: z.string(), name: z.string() })) })
export type Published = z.infer<typeof Published>

/** `size`: bytes. `warnings`: of the check of a script. */
export const Uploaded = z.object({ sha256: z.string(), fileName: z.string(), size: z.int(), warnings: z.array(z.string()) })
export type Uploaded = z.infer<typeof Uploaded>

const base = '/api/codedm/organization/{organizationId}' as const

export const publicationEndpoints = {
  publishToZones: endpoint({
    method: 'POST',
    path: `${base}/publications`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts'],
    audit: 'ZoneConfigChange',
    summary: 'Publishes to many zones as one rollout, all or nothing; the same key publishes once',
    body: PublishInput,
    maxBodyBytes: maxPartsBytes,
    response: Published,
  }),
  uploadScript: endpoint({
    method: 'POST',
    path: `${base}/uploads/script`,
    access: organization('manage:cfg'),
    limitedRole: 'everything',
    changes: [],
    audit: { none: 'It has no effect until it is published, and is swept after a day.' },
    summary: 'Checks and keeps a CodeRules script, which a publish of the next 24 hours names by its hash',
    upload: { maxBytes: maxScriptBytes },
    response: Uploaded,
  }),
  uploadFirmware: endpoint({
    method: 'POST',
    path: `${base}/uploads/firmware`,
    access: organization('manage:firmware'),
    limitedRole: 'everything',
    changes: [],
    audit: { none: 'It has no effect until it is published, and is swept after a day.' },
    summary: 'Keeps a firmware file, which a publish of the next 24 hours names by its hash',
    upload: { maxBytes: maxFirmwareBytes },
    response: Uploaded,
  }),
}

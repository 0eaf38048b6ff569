import * as z from 'zod/mini'
import { UpdateModelName } from '../devices/device-models.ts'
import { endpoint, organization } from '../http/endpoint.ts'
import { Message } from '../http/problems.ts'
import { rolloutFields } from '../rollouts/rollout-name.ts'
import { Text, Uuid } from '../text/text.ts'
import { cfgProblem } from './cfg.ts'
import type { ContentKind } from './content-kind.ts'
import { safetyFields, safetyTexts } from './phases.ts'
import { RepairInput, RepairPlan } from './repairs.ts'
import { DueAt, oneStart, startFields, UpdateTime } from './update-time.ts'

export const maxScriptBytes = 5 * 1024 * 1024

const base = '/api/codedm/organization/{organizationId}/location/{location}/device/{device}/configuration' as const
const params = z.object({ location: Uuid, device: UpdateModelName })
/** `rolloutId`: given where the rollout has another id than the call gave it, as for a role limited to zones. */
export const PublishedMessage = z.extend(Message, { rolloutId: z.optional(Uuid) })

export const CfgText = z.string().check((context) => {
  const message = cfgProblem(context.value)
  if (message) context.issues.push({ code: 'custom', message, input: context.value })
})

/** Names a version of a library entry. */
export const versionChoice = { configurationId: Uuid, version: z.int().check(z.minimum(1), z.maximum(1_000)) }

export const CfgFile = z
  .object({
    cfg: CfgText,
    ...startFields,
    ...safetyFields,
    ...rolloutFields,
  })
  .check(oneStart)

/** Returns the name of a configuration: of a library entry's version or of a file, else "CFG" and the start of the hash (NAM-03). */
export const configurationLabel = (name: string | null, hash: string): string => name ?? `CFG ${hash.slice(0, 8)}`

interface NamedContent {
  kind: ContentKind
  hash: string
  name: string | null
  version: string | null
}

/** Returns the name of a content. Firmware is called by its version, else its file's name, else the start of the hash. */
export const contentLabel = ({ kind, hash, name, version }: NamedContent): string =>
  kind === 'configuration' ? configurationLabel(name, hash) : (version ?? name ?? hash.slice(0, 8))

/** The configuration that readers of a model in a zone must run. `text`: null where it is no text, or longer than 1,000,000 characters. */
export const DesiredContent = z.object({
  name: z.string(),
  revision: z.int(),
  publishedAt: z.iso.datetime(),
  kind: z.enum(['commands', 'cfg', 'script']),
  text: z.nullable(z.string()),
})
export type DesiredContent = z.infer<typeof DesiredContent>

export const CodeRules = z.object({ fileName: z.string(), script: z.string() })
export type CodeRules = z.infer<typeof CodeRules>

/**
 * How what a reader runs compares with what it must run.
 * none: nothing is published for it.
 * current: it runs what it must.
 * waiting: it has no outcome yet, or is being retried.
 * applied: its host PC reports an update, but no check-in shows it yet.
 * failed: the last update failed.
 * drifted: it ran what it must, and runs something else now.
 * kept: it runs what a roll back gave back to it or left it, and not what its zone desires.
 */
export const Standing = z.enum(['none', 'current', 'waiting', 'applied', 'failed', 'drifted', 'kept'])
export type Standing = z.infer<typeof Standing>

export const Result = z.object({ outcome: z.enum(['applied', 'failed']), reason: z.optional(z.string()), at: z.iso.datetime() })

/** The last re-apply of a reader. `result`: absent while it is pending. */
export const Reapplied = z.object({ requestedAt: z.iso.datetime(), requestedBy: z.optional(z.string()), result: z.optional(Result) })
export type Reapplied = z.infer<typeof Reapplied>

/**
 * What a reader must run, and from when on. `publishedBy`: absent where that user is deleted. `atOnce`: whatever the update time is.
 * `timeZone`: IANA name, of its host PC.
 */
export const DesiredFacts = {
  contentHash: z.string(),
  revision: z.int(),
  publishedAt: z.iso.datetime(),
  publishedBy: z.optional(z.string()),
  updateTime: UpdateTime,
  atOnce: z.boolean(),
  dueAt: DueAt,
  timeZone: z.optional(z.string()),
  rollout: z.string(),
}

export const DeviceConfiguration = z.object({
  standing: Standing,
  desired: z.optional(z.object({ configuration: z.string(), ...DesiredFacts })),
  reported: z.optional(z.object({ configuration: z.string(), contentHash: z.optional(z.string()) })),
  result: z.optional(Result),
  reapplication: z.optional(Reapplied),
})
export type DeviceConfiguration = z.infer<typeof DeviceConfiguration>

const ofDevice = '/api/codedm/organization/{organizationId}/device/{serialNumber}/configuration' as const
const device = z.object({ serialNumber: Text(64) })

export const publicationEndpoints = {
  publishCfg: endpoint({
    method: 'POST',
    path: `${base}/cfg`,
    access: organization('manage:cfg'),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts'],
    audit: 'ZoneConfigChange',
    summary: 'Publishes a golden-standard configuration to a zone and device model',
    params,
    body: CfgFile,
    maxBodyBytes: 3 * 1024 * 1024,
    response: PublishedMessage,
  }),
  publishCodeRules: endpoint({
    method: 'POST',
    path: `${base}/file`,
    access: organization('manage:cfg'),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts'],
    audit: 'ZoneConfigChange',
    summary: 'Publishes a CodeRules script to a zone and device model',
    params,
    upload: { maxBytes: maxScriptBytes, fields: z.object({ ...startFields, ...safetyTexts, ...rolloutFields }).check(oneStart) },
    response: PublishedMessage,
  }),
  publishLibraryVersion: endpoint({
    method: 'POST',
    path: `${base}/library`,
    access: organization('manage:cfg'),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts'],
    audit: 'ZoneConfigChange',
    summary: 'Publishes a version of a library entry to a zone and device model',
    params,
    body: z.object({ ...versionChoice, ...startFields, ...safetyFields, ...rolloutFields }).check(oneStart),
    response: PublishedMessage,
  }),
  getRunningConfiguration: endpoint({
    method: 'GET',
    path: base,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices'],
    summary: 'The configuration that the readers of a zone and device model must run, with what is inside',
    params,
    response: DesiredContent,
  }),
  getDeviceConfiguration: endpoint({
    method: 'GET',
    path: ofDevice,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices', 'schedule'],
    summary: 'The configuration that a reader must run, and the one that it reports',
    params: device,
    response: DeviceConfiguration,
  }),
  previewReapplyConfiguration: endpoint({
    method: 'GET',
    path: `${ofDevice}/reapply`,
    access: organization('manage:cfg'),
    limitedRole: 'zones',
    shows: ['devices'],
    summary: 'What a re-apply would do: whether the reader gets the configuration, is missing or cannot take it',
    params: device,
    response: RepairPlan,
  }),
  reapplyConfiguration: endpoint({
    method: 'POST',
    path: `${ofDevice}/reapply`,
    access: organization('manage:cfg'),
    limitedRole: 'zones',
    changes: ['devices'],
    audit: 'reapplyConfiguration',
    summary: 'Applies the desired configuration again to a reader where it drifted or failed; a second request before that changes nothing',
    params: device,
    body: RepairInput,
    response: Message,
  }),
  getDefaultCodeRules: endpoint({
    method: 'GET',
    path: '/api/codedm/default-code-rules',
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    summary: 'A CodeRules script that changes nothing, to start from',
    response: CodeRules,
  }),
}

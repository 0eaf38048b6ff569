import * as z from 'zod/mini'
import { cfgProblem } from './cfg.ts'
import { UpdateModelName } from './device-models.ts'
import { endpoint, organization } from './endpoint.ts'
import { Message } from './problems.ts'
import { Uuid } from './text.ts'
import { defaultUpdateTime, UpdateTime } from './update-time.ts'

/** Largest CodeRules script, in bytes. */
export const maxScriptBytes = 5 * 1024 * 1024

const base = '/api/codedm/organization/{organizationId}/location/{location}/device/{device}/configuration' as const
const params = z.object({ location: Uuid, device: UpdateModelName })
const updateTime = z._default(UpdateTime, defaultUpdateTime)

/** The text of a golden-standard configuration (spec §3). */
export const CfgFile = z.object({
  cfg: z.string().check((context) => {
    const message = cfgProblem(context.value)
    if (message) context.issues.push({ code: 'custom', message, input: context.value })
  }),
  updateTime,
})
export type CfgFile = z.infer<typeof CfgFile>

/** A CodeRules script to start from. */
export const CodeRules = z.object({ fileName: z.string(), script: z.string() })
export type CodeRules = z.infer<typeof CodeRules>

export const configurationEndpoints = {
  publishCfg: endpoint({
    method: 'POST',
    path: `${base}/cfg`,
    access: organization('manage:cfg'),
    audit: 'ZoneConfigChange',
    summary: 'Publishes a golden-standard configuration to a zone and device model',
    params,
    body: CfgFile,
    response: Message,
  }),
  publishCodeRules: endpoint({
    method: 'POST',
    path: `${base}/file`,
    access: organization('manage:cfg'),
    audit: 'ZoneConfigChange',
    summary: 'Publishes a CodeRules script to a zone and device model',
    params,
    upload: { maxBytes: maxScriptBytes, fields: z.object({ updateTime }) },
    response: Message,
  }),
  getDefaultCodeRules: endpoint({
    method: 'GET',
    path: '/api/codedm/default-code-rules',
    access: 'self',
    summary: 'A CodeRules script that changes nothing, to start from',
    response: CodeRules,
  }),
}

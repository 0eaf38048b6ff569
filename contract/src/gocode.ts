import * as z from 'zod/mini'
import { payloadProblem } from './barcode/configuration-payload.ts'
import { endpoint } from './http/endpoint.ts'
import { CommandList, ConfigurationDevice } from './library.ts'
import { OptionalLine } from './text/text.ts'

export const GoCodeFormat = z.enum(['png', 'svg', 'pdf', 'payload'])
export type GoCodeFormat = z.infer<typeof GoCodeFormat>

export const GoCode = z
  .object({
    device: ConfigurationDevice,
    commands: CommandList,
    reset: z._default(z.boolean(), false),
    format: z._default(GoCodeFormat, 'png'),
    caption: z._default(OptionalLine(200), ''),
  })
  .check(
    z.check((context) => {
      const message = payloadProblem(context.value)
      if (message) context.issues.push({ code: 'custom', message, input: context.value, path: ['commands'] })
    }),
  )
export type GoCode = z.infer<typeof GoCode>

export const gocodeEndpoints = {
  makeGoCode: endpoint({
    method: 'POST',
    path: '/gocode',
    access: 'self',
    limitedRole: 'everything',
    changes: [],
    audit: { none: 'It draws a symbol and keeps nothing.' },
    summary: 'The configuration symbol of some commands: as a picture, a page, or its bytes',
    body: GoCode,
    maxBodyBytes: 80 * 1024,
    download: { contentType: 'application/octet-stream', others: ['image/png', 'image/svg+xml', 'application/pdf'] },
  }),
}

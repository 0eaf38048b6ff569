import { isDeepStrictEqual } from 'node:util'
import type { AuditRule } from '@lectern/contract/audit/changes.ts'
import { endpoints } from '@lectern/contract/endpoints.ts'
import type { Access, Endpoint } from '@lectern/contract/http/endpoint.ts'
import { Problem } from '@lectern/contract/http/problems.ts'
import * as z from 'zod/mini'
import { isIdempotentByKey } from '../lib/http/idempotency.ts'

type Operation = ReturnType<typeof toOperation>
export type ApiDocument = ReturnType<typeof createApiDocument>

export function createApiDocument(url: string) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
    paths[endpoint.path] ??= {}
    Object.assign(paths[endpoint.path]!, { [endpoint.method.toLowerCase()]: toOperation(name, endpoint) })
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Lectern', version: '1', description: 'Every call of the customer portal and of the host agent.' },
    servers: [{ url }],
    paths,
    components: {
      securitySchemes: {
        person: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token of the identity provider.' },
        agent: { type: 'http', scheme: 'bearer', description: "An enrolled host's own credential." },
        licence: { type: 'http', scheme: 'bearer', description: 'A licence number of the organization.' },
      },
      responses: {
        Problem: { description: 'Problem details', content: { 'application/problem+json': { schema: toSchema(Problem, 'output') } } },
      },
    },
  }
}

const toSchema = (schema: z.ZodMiniType, io: 'input' | 'output'): Record<string, unknown> => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

export function describeAccess(access: Access): string {
  if (access === 'public') return 'Everyone.'
  if (access === 'self') return 'Any signed-in person.'
  if (access === 'agent') return 'An enrolled host.'
  if (access === 'licence') return 'The holder of a licence number.'
  if ('oneOf' in access) return `Any signed-in person with ${access.oneOf.join(' or ')}.`
  const [who, permissions] =
    'organization' in access ? ['Members of the organization', access.organization] : ["The vendor's staff", access.provider]
  return permissions.length === 0 ? `${who}.` : `${who} with ${permissions.join(' and ')}.`
}

const describeAudit = (audit: AuditRule | undefined): string =>
  typeof audit === 'string' ? ` Writes ${audit} to the audit log.` : audit ? ` Writes nothing to the audit log: ${audit.none}` : ''

function toOperation(name: string, endpoint: Endpoint) {
  const { method, path, access, audit, summary, params, query, body, upload, response, whole, download, events, etag } = endpoint
  const declared = (params ? toSchema(params, 'input').properties : {}) as Record<string, unknown>
  const { properties: inQuery = {}, required = [] } = (query ? toSchema(query, 'input') : {}) as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter as string)
  const content = body
    ? { 'application/json': { schema: toSchema(body, 'input') } }
    : upload && { 'multipart/form-data': { schema: toMultipart(upload.fields) } }
  const media = download ? [download.contentType, ...(download.others ?? [])] : [events ? 'text/event-stream' : 'application/json']
  const page = response ? toSchema(response, 'output') : { type: 'string' }
  const list = whole && { type: 'array', items: toSchema(whole, 'output') }
  const schema = list && !isDeepStrictEqual(list, page) ? { anyOf: [list, page] } : page
  const success =
    response || download || events
      ? {
          200: {
            description: 'Done',
            content: Object.fromEntries(media.map((type) => [type, { schema }])),
            ...(etag && { headers: { ETag: { schema: { type: 'string' } } } }),
          },
        }
      : { 204: { description: 'Done' } }
  return {
    operationId: name,
    summary,
    description: describeAccess(access) + describeAudit(audit),
    security: access === 'public' ? [] : [{ [access === 'agent' || access === 'licence' ? access : 'person']: [] }],
    parameters: [
      ...names.map((parameter) => ({ name: parameter, in: 'path', required: true, schema: declared[parameter] ?? { type: 'string' } })),
      ...Object.entries(inQuery).map(([parameter, it]) => ({
        name: parameter,
        in: 'query',
        required: required.includes(parameter),
        schema: it,
      })),
      ...(isIdempotentByKey(endpoint) ? [header('Idempotency-Key')] : []),
      ...(etag && method !== 'GET'
        ? [
            header(
              'If-Match',
              'The ETag of the record that the change is based on. If another user has changed it since, the response is 412.',
            ),
          ]
        : []),
    ],
    ...(content ? { requestBody: { required: !body?.safeParse(undefined).success, content } } : {}),
    responses: { ...success, default: { $ref: '#/components/responses/Problem' } },
  }
}

const header = (name: string, description?: string) => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string' },
  ...(description && { description }),
})

function toMultipart(fields: z.ZodMiniObject | undefined) {
  const rest = fields ? toSchema(fields, 'input') : {}
  return {
    type: 'object',
    required: ['file'],
    properties: { ...(rest.properties as object | undefined), file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  }
}

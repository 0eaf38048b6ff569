import * as z from 'zod/mini'
import { endpoint } from './http/endpoint.ts'

/**
 * Public before sign-in, so without secrets. `featureFlags`: `name;name=value` (spec §4). `brands`: of setting guides. `localToken`:
 * whether a token in local storage under "token" is accepted. `largePublish`: above one of these a publish without phases is asked about
 * (SEE-03). `sentryDsn`: null where errors are not reported.
 */
export const PublicSettings = z.object({
  providerName: z.string(),
  auth: z.object({ domain: z.string(), clientId: z.string(), audience: z.string() }),
  featureFlags: z.string(),
  accountUrl: z.string(),
  supportPhone: z.string(),
  brands: z.tuple([z.string(), z.string()]),
  localToken: z.boolean(),
  sentryDsn: z.nullable(z.string()),
  largePublish: z.object({ zones: z.int(), readers: z.int() }),
})
export type PublicSettings = z.infer<typeof PublicSettings>

/** `details`: sentences about faults with which requests are served nevertheless. */
const Health = z.object({ status: z.string(), details: z.optional(z.array(z.string())) })

export const systemEndpoints = {
  getLiveness: endpoint({ method: 'GET', path: '/livez', access: 'public', shows: [], summary: 'The process responds', response: Health }),
  getReadiness: endpoint({
    method: 'GET',
    path: '/readyz',
    access: 'public',
    shows: [],
    summary: 'The database responds too, and can be written to',
    response: Health,
  }),
  getPublicSettings: endpoint({
    method: 'GET',
    path: '/api/settings',
    access: 'public',
    shows: [],
    summary: 'Settings of the web app',
    response: PublicSettings,
  }),
}

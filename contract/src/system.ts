import * as z from 'zod/mini'
import { endpoint } from './http/endpoint.ts'

/** Public before sign-in: no secrets. */
export const PublicSettings = z.object({
  providerName: z.string(),
  auth: z.object({ domain: z.string(), clientId: z.string(), audience: z.string() }),
  /** `name;name=value` (spec §4). */
  featureFlags: z.string(),
  accountUrl: z.string(),
  supportPhone: z.string(),
  /** Of setting guides. */
  brands: z.tuple([z.string(), z.string()]),
  /** A token in local storage under "token" is accepted. */
  localToken: z.boolean(),
  /** Without a secret; null: errors are not reported. */
  sentryDsn: z.nullable(z.string()),
})
export type PublicSettings = z.infer<typeof PublicSettings>

const Health = z.object({ status: z.string() })

export const systemEndpoints = {
  getLiveness: endpoint({ method: 'GET', path: '/livez', access: 'public', shows: [], summary: 'The process answers', response: Health }),
  getReadiness: endpoint({
    method: 'GET',
    path: '/readyz',
    access: 'public',
    shows: [],
    summary: 'The database answers too',
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

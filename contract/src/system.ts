import * as z from 'zod/mini'
import { endpoint } from './http/endpoint.ts'

/** What the web app must know before anybody has signed in. Holds no secret. */
export const PublicSettings = z.object({
  providerName: z.string(),
  auth: z.object({ domain: z.string(), clientId: z.string(), audience: z.string() }),
  /** In the specification's grammar, `name;name=value`. */
  featureFlags: z.string(),
  accountUrl: z.string(),
  supportPhone: z.string(),
  /** Names of the two brands that setting guides come in. */
  brands: z.tuple([z.string(), z.string()]),
  /** Whether a token in local storage under "token" is honoured. */
  localToken: z.boolean(),
  /** Where errors are reported (Sentry's address of a project, without a secret); null: nowhere. */
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

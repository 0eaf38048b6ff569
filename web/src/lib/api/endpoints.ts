import { deviceLogEndpoints } from '@lectern/contract/device-log.ts'
import { endpoints as contract, type Endpoints } from '@lectern/contract/endpoints.ts'
import { gocodeEndpoints } from '@lectern/contract/gocode.ts'
import { hostEndpoints } from '@lectern/contract/hosts.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { loginScopes } from '@lectern/contract/http/permissions.ts'
import { Problem } from '@lectern/contract/http/problems.ts'
import { type Shape, toShape } from '@lectern/contract/http/shape.ts'
import { legacyConfigEndpoints } from '@lectern/contract/legacy-configs.ts'
import { scannerAppUserEndpoints } from '@lectern/contract/scanner-app-users.ts'

export interface WebEndpoint extends Pick<Endpoint, 'method' | 'path' | 'shows' | 'changes'> {
  isPublic?: true
  etag?: Shape
  /** Only for replies that the first pages read; all others are in `shapes.ts`. */
  response?: Shape
  hasLaterShape?: true
}

/** Endpoints that only host agents and other programs call. */
const ofPrograms = { ...hostEndpoints, ...legacyConfigEndpoints, ...gocodeEndpoints, ...scannerAppUserEndpoints, ...deviceLogEndpoints }

const alsoOfPrograms = ['downloadAgentFile', 'getReadiness', 'getVendorKeys', 'getZoneFirmware', 'listOrganizationUsers'] as const

export type EndpointName = Exclude<keyof Endpoints, keyof typeof ofPrograms | (typeof alsoOfPrograms)[number]>

// Endpoints that pages read before anything else is loaded.
const first: readonly string[] = ['getCurrentUser', 'getOrganizationSummary', 'listRegistrationTasks', 'listProducts', 'listAds']

/**
 * What a browser needs to call an endpoint. The build replaces this module by its values (`evaluatedModules`), so no schema is loaded for a
 * call.
 */
export const endpoints = Object.fromEntries(
  Object.entries<Endpoint>(contract)
    .filter(([name]) => !Object.hasOwn(ofPrograms, name) && !alsoOfPrograms.some((one) => one === name))
    .map(([name, { method, path, shows, changes, access, etag, response }]) => [
      name,
      {
        method,
        path,
        ...(access === 'public' && { isPublic: true }),
        ...(shows && { shows }),
        ...(changes && { changes }),
        ...(etag && { etag: toShape(etag) }),
        ...(response && (first.includes(name) ? { response: toShape(response) } : { hasLaterShape: true })),
      },
    ]),
) as Record<EndpointName, WebEndpoint>

export const problemShape = toShape(Problem)

export { loginScopes }

import { endpoints as contract, type EndpointName } from '@lectern/contract/endpoints.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { loginScopes } from '@lectern/contract/http/permissions.ts'
import { Problem } from '@lectern/contract/http/problems.ts'
import { type Shape, toShape } from '@lectern/contract/http/shape.ts'

export interface WebEndpoint extends Pick<Endpoint, 'method' | 'path' | 'shows' | 'changes'> {
  isPublic: boolean
  etag?: Shape
  response?: Shape
}

/**
 * What a browser needs of an endpoint to call it. The build puts the values in the place of this module (`evaluatedModules`), so that no
 * schema is loaded for a call.
 */
export const endpoints = Object.fromEntries(
  Object.entries<Endpoint>(contract).map(([name, { method, path, shows, changes, access, etag, response }]) => [
    name,
    {
      method,
      path,
      isPublic: access === 'public',
      ...(shows && { shows }),
      ...(changes && { changes }),
      ...(etag && { etag: toShape(etag) }),
      ...(response && { response: toShape(response) }),
    },
  ]),
) as Record<EndpointName, WebEndpoint>

export const problemShape = toShape(Problem)

export { loginScopes }

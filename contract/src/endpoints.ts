import { configurationEndpoints } from './configuration.ts'
import { deviceEndpoints } from './devices.ts'
import type { ArgumentsOf, Endpoint, ResponseOf } from './endpoint.ts'
import { hostEndpoints } from './hosts.ts'
import { organizationEndpoints } from './organizations.ts'
import { systemEndpoints } from './system.ts'
import { userEndpoints } from './users.ts'
import { zoneEndpoints } from './zones.ts'

/** Every call of the product. Servers, clients, the API document and the access test are derived from it. */
export const endpoints = {
  ...systemEndpoints,
  ...userEndpoints,
  ...organizationEndpoints,
  ...zoneEndpoints,
  ...configurationEndpoints,
  ...deviceEndpoints,
  ...hostEndpoints,
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
export type Arguments<N extends EndpointName> = ArgumentsOf<Endpoints[N]>
export type Response<N extends EndpointName> = ResponseOf<Endpoints[N]>

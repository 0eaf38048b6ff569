import { adEndpoints } from './ads.ts'
import { auditEndpoints } from './audit.ts'
import { barcodeSettingEndpoints } from './barcode-settings.ts'
import { caseEndpoints } from './cases.ts'
import { catalogueEndpoints } from './catalogue.ts'
import { configEndpoints } from './configs.ts'
import { configurationEndpoints } from './configuration.ts'
import { countryEndpoints } from './countries.ts'
import { deviceLogEndpoints } from './device-log.ts'
import { deviceEndpoints } from './devices.ts'
import type { ArgumentsOf, Endpoint, ResponseOf } from './endpoint.ts'
import { firmwareEndpoints } from './firmware.ts'
import { gocodeEndpoints } from './gocode.ts'
import { graphEndpoints } from './graphs.ts'
import { groupEndpoints } from './groups.ts'
import { hostEndpoints } from './hosts.ts'
import { licenceEndpoints } from './licences.ts'
import { organizationEndpoints } from './organizations.ts'
import { productEndpoints } from './products.ts'
import { readerEndpoints } from './readers.ts'
import { registrationEndpoints } from './registration.ts'
import { rolloutEndpoints } from './rollouts.ts'
import { savedConfigurationEndpoints } from './saved-configurations.ts'
import { scannerAppUserEndpoints } from './scanner-app-users.ts'
import { systemEndpoints } from './system.ts'
import { userEndpoints } from './users.ts'
import { zoneEndpoints } from './zones.ts'

/** Every call of the product. Servers, clients, the API document and the access test are derived from it. */
export const endpoints = {
  ...systemEndpoints,
  ...userEndpoints,
  ...registrationEndpoints,
  ...organizationEndpoints,
  ...groupEndpoints,
  ...productEndpoints,
  ...countryEndpoints,
  ...adEndpoints,
  ...caseEndpoints,
  ...zoneEndpoints,
  ...configurationEndpoints,
  ...firmwareEndpoints,
  ...rolloutEndpoints,
  ...deviceEndpoints,
  ...auditEndpoints,
  ...configEndpoints,
  ...catalogueEndpoints,
  ...savedConfigurationEndpoints,
  ...gocodeEndpoints,
  ...barcodeSettingEndpoints,
  ...hostEndpoints,
  ...licenceEndpoints,
  ...readerEndpoints,
  ...scannerAppUserEndpoints,
  ...graphEndpoints,
  ...deviceLogEndpoints,
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
export type Arguments<N extends EndpointName> = ArgumentsOf<Endpoints[N]>
export type Response<N extends EndpointName> = ResponseOf<Endpoints[N]>

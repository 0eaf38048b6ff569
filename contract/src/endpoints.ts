import { adEndpoints } from './ads.ts'
import { agentFileEndpoints } from './agent-files.ts'
import { auditEndpoints } from './audit/audit.ts'
import { barcodeEndpoints } from './barcode/catalogue.ts'
import { barcodeSettingEndpoints } from './barcode-settings/barcode-settings.ts'
import { calendarEndpoints } from './calendar.ts'
import { caseEndpoints } from './cases/cases.ts'
import { countryEndpoints } from './countries.ts'
import { deskEndpoints } from './desk/desk.ts'
import { deviceLogEndpoints } from './device-log.ts'
import { deviceEndpoints } from './devices/devices.ts'
import { firmwareEndpoints } from './firmware/firmware.ts'
import { gocodeEndpoints } from './gocode.ts'
import { graphEndpoints } from './graphs.ts'
import { groupEndpoints } from './groups.ts'
import { hostEndpoints } from './hosts.ts'
import type { ArgumentsOf, Endpoint, ResponseOf } from './http/endpoint.ts'
import { legacyConfigEndpoints } from './legacy-configs.ts'
import { libraryEndpoints } from './library.ts'
import { licenceEndpoints } from './licences/licences.ts'
import { organizationEndpoints } from './organizations.ts'
import { peopleEndpoints } from './people/people.ts'
import { productEndpoints } from './products.ts'
import { publicationPreview } from './publications/preview.ts'
import { publicationEndpoints } from './publications/publications.ts'
import { publicationEndpoints as manyZonesEndpoints } from './publications/publish-to-zones.ts'
import { readerEndpoints } from './readers.ts'
import { registrationEndpoints } from './registration.ts'
import { rolloutEndpoints } from './rollouts/rollouts.ts'
import { scannerAppUserEndpoints } from './scanner-app-users.ts'
import { scheduleEndpoints as publishingDefaultsEndpoints } from './schedule/publishing-defaults.ts'
import { scheduleEndpoints } from './schedule/schedule.ts'
import { systemEndpoints } from './system.ts'
import { userEndpoints } from './users.ts'
import { zoneEndpoints } from './zones.ts'

export const endpoints = {
  ...systemEndpoints,
  ...agentFileEndpoints,
  ...userEndpoints,
  ...registrationEndpoints,
  ...organizationEndpoints,
  ...groupEndpoints,
  ...peopleEndpoints,
  ...productEndpoints,
  ...countryEndpoints,
  ...adEndpoints,
  ...caseEndpoints,
  ...zoneEndpoints,
  ...publicationEndpoints,
  ...publicationPreview,
  ...manyZonesEndpoints,
  ...firmwareEndpoints,
  ...rolloutEndpoints,
  ...scheduleEndpoints,
  ...publishingDefaultsEndpoints,
  ...calendarEndpoints,
  ...deviceEndpoints,
  ...auditEndpoints,
  ...legacyConfigEndpoints,
  ...barcodeEndpoints,
  ...libraryEndpoints,
  ...gocodeEndpoints,
  ...barcodeSettingEndpoints,
  ...hostEndpoints,
  ...licenceEndpoints,
  ...readerEndpoints,
  ...deskEndpoints,
  ...scannerAppUserEndpoints,
  ...graphEndpoints,
  ...deviceLogEndpoints,
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
export type Arguments<N extends EndpointName> = ArgumentsOf<Endpoints[N]>
export type Response<N extends EndpointName> = ResponseOf<Endpoints[N]>

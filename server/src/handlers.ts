import { adRoutes } from './ads/routes.ts'
import { agentFileRoutes } from './agent-files/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { barcodeSettingRoutes } from './barcode-settings/routes.ts'
import { calendarRoutes } from './calendar/routes.ts'
import { caseRoutes } from './cases/routes.ts'
import { countries } from './countries/countries.ts'
import { deskRoutes } from './desk/routes.ts'
import { deviceLogRoutes } from './device-log/routes.ts'
import { deviceRoutes } from './devices/routes.ts'
import { firmwareRoutes } from './firmware/routes.ts'
import { makeGoCode } from './gocode/gocode.ts'
import { graphRoutes } from './graphs/routes.ts'
import { groupRoutes } from './groups/routes.ts'
import { hostRoutes } from './hosts/routes.ts'
import { legacyConfigRoutes } from './legacy-configs/routes.ts'
import { toCallerKey } from './lib/http/caller.ts'
import type { Handlers } from './lib/http/serve.ts'
import { libraryRoutes } from './library/routes.ts'
import { licenceRoutes } from './licences/routes.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { productRoutes } from './products/routes.ts'
import { publicationRoutes } from './publications/routes.ts'
import { readerRoutes } from './readers/routes.ts'
import { registrationRoutes } from './registration/routes.ts'
import { rolloutRoutes } from './rollouts/routes.ts'
import { scannerAppUserRoutes } from './scanner-app-users/routes.ts'
import { scheduleRoutes } from './schedule/routes.ts'
import { systemRoutes } from './system/routes.ts'
import { userRoutes } from './users/routes.ts'
import { zoneRoutes } from './zones/routes.ts'

export const handlers: Handlers = {
  ...systemRoutes,
  ...agentFileRoutes,
  ...userRoutes,
  ...registrationRoutes,
  ...organizationRoutes,
  ...groupRoutes,
  ...peopleRoutes,
  ...productRoutes,
  ...adRoutes,
  ...caseRoutes,
  ...zoneRoutes,
  ...publicationRoutes,
  ...firmwareRoutes,
  ...rolloutRoutes,
  ...scheduleRoutes,
  ...calendarRoutes,
  ...deviceRoutes,
  ...auditRoutes,
  ...legacyConfigRoutes,
  ...libraryRoutes,
  ...barcodeSettingRoutes,
  ...hostRoutes,
  ...licenceRoutes,
  ...readerRoutes,
  ...deskRoutes,
  ...scannerAppUserRoutes,
  ...graphRoutes,
  ...deviceLogRoutes,
  listCountries: () => [...countries],
  getCatalogue: ({ catalogue }) => catalogue,
  makeGoCode: ({ body, drawings, caller, settings }) => makeGoCode(body, drawings, toCallerKey(caller), settings.providerName),
}

import type { Handlers } from '../lib/http/serve.ts'
import { licenceDetails, licencePage, licenceTypes, recordLicence, vendorKeys } from './licences.ts'

export const licenceRoutes = {
  listLicences: ({ db, params, query }) => licencePage(db, params.organizationId, query),
  listLicenceTypes: ({ db, params }) => licenceTypes(db, params.organizationId),
  createLicence: (call) => recordLicence(call.db, call, 'createLicence'),
  generateLicence: (call) => recordLicence(call.db, call, 'generateLicence'),
  getLicence: ({ db, params }) => licenceDetails(db, params.organizationId, params.id),
  getVendorKeys: ({ db }) => vendorKeys(db),
} satisfies Partial<Handlers>

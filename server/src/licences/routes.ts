import type { Handlers } from '../lib/http/serve.ts'
import { getLicence, getVendorKeys, listLicences, listLicenceTypes, recordLicence } from './licences.ts'

export const licenceRoutes = {
  listLicences: ({ db, params, query }) => listLicences(db, params.organizationId, query),
  listLicenceTypes: ({ db, params }) => listLicenceTypes(db, params.organizationId),
  createLicence: (call) => recordLicence(call.db, call, 'createLicence'),
  generateLicence: (call) => recordLicence(call.db, call, 'generateLicence'),
  getLicence: ({ db, params }) => getLicence(db, params.organizationId, params.id),
  getVendorKeys: ({ db }) => getVendorKeys(db),
} satisfies Partial<Handlers>

import type { Handlers } from '../lib/http/serve.ts'
import { getLicence, getVendorKeys, listLicenceHosts, listLicences, listLicenceTypes, recordLicence, revokeLicence } from './licences.ts'

export const licenceRoutes = {
  listLicences: ({ db, caller, params, query }) => listLicences(db, caller, params.organizationId, query),
  listLicenceTypes: ({ db, params }) => listLicenceTypes(db, params.organizationId),
  createLicence: (call) => recordLicence(call.db, call, 'createLicence'),
  generateLicence: (call) => recordLicence(call.db, call, 'generateLicence'),
  getLicence: ({ db, caller, params }) => getLicence(db, caller, params.organizationId, params.id),
  listLicenceHosts: ({ db, params, query }) => listLicenceHosts(db, params, query),
  revokeLicence: (call) => revokeLicence(call.db, call),
  getVendorKeys: ({ db }) => getVendorKeys(db),
} satisfies Partial<Handlers>

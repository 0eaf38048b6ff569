import type { Handlers } from '../lib/http/serve.ts'
import { findLog, getAuditChoices, listEntries, vendorsEntries } from './audit.ts'
import { downloadLog } from './download-sql.ts'

export const auditRoutes = {
  listAuditEntries: async ({ db, caller, params, query }) => listEntries(db, await findLog(db, params, caller), query),
  listDeviceAuditEntries: async ({ db, caller, params, query }) =>
    listEntries(db, await findLog(db, params, caller), { ...query, device: params.serialNumber }),
  getAuditChoices: async ({ db, caller, params }) => getAuditChoices(db, await findLog(db, params, caller)),
  downloadAuditLog: async ({ db, caller, exportPool, params, query }) =>
    downloadLog({ db, exportPool }, await findLog(db, params, caller), query),
  listVendorAuditEntries: async ({ db, query }) => listEntries(db, vendorsEntries, query),
  getVendorAuditChoices: ({ db }) => getAuditChoices(db, vendorsEntries),
  downloadVendorAuditLog: ({ db, exportPool, query }) => downloadLog({ db, exportPool }, vendorsEntries, query),
} satisfies Partial<Handlers>

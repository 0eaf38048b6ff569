import type { Handlers } from '../lib/http/serve.ts'
import { getAuditChoices, listEntries, toLog, vendorsEntries } from './audit.ts'
import { downloadLog } from './download-sql.ts'

export const auditRoutes = {
  listAuditEntries: async ({ db, caller, params, query }) => listEntries(db, toLog(params, caller), query),
  listDeviceAuditEntries: async ({ db, caller, params, query }) =>
    listEntries(db, toLog(params, caller), { ...query, device: params.serialNumber }),
  getAuditChoices: ({ db, caller, params }) => getAuditChoices(db, toLog(params, caller)),
  downloadAuditLog: ({ db, caller, exportPool, params, query }) => downloadLog({ db, exportPool }, toLog(params, caller), query),
  listVendorAuditEntries: async ({ db, query }) => listEntries(db, vendorsEntries, query),
  getVendorAuditChoices: ({ db }) => getAuditChoices(db, vendorsEntries),
  downloadVendorAuditLog: ({ db, exportPool, query }) => downloadLog({ db, exportPool }, vendorsEntries, query),
} satisfies Partial<Handlers>

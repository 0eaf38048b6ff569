import type { Handlers } from '../lib/http/serve.ts'
import { getAuditChoices, listEntries, vendorsLog } from './audit.ts'
import { downloadLog } from './download-sql.ts'

export const auditRoutes = {
  listAuditEntries: async ({ db, params, query }) => listEntries(db, params.organizationId, query),
  listDeviceAuditEntries: async ({ db, params, query }) =>
    listEntries(db, params.organizationId, { ...query, device: params.serialNumber }),
  getAuditChoices: ({ db, params }) => getAuditChoices(db, params.organizationId),
  downloadAuditLog: ({ db, exportPool, params, query }) => downloadLog({ db, exportPool }, params.organizationId, query),
  listVendorAuditEntries: async ({ db, query }) => listEntries(db, vendorsLog, query),
  getVendorAuditChoices: ({ db }) => getAuditChoices(db, vendorsLog),
  downloadVendorAuditLog: ({ db, exportPool, query }) => downloadLog({ db, exportPool }, vendorsLog, query),
} satisfies Partial<Handlers>

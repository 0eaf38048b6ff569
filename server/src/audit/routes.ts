import type { Handlers } from '../lib/http/serve.ts'
import { getAuditChoices, listEntries } from './audit.ts'
import { downloadLog } from './download-sql.ts'

export const auditRoutes = {
  listAuditEntries: async ({ db, params, query }) => listEntries(db, params.organizationId, query),
  listDeviceAuditEntries: async ({ db, params, query }) =>
    listEntries(db, params.organizationId, { ...query, device: params.serialNumber }),
  getAuditChoices: ({ db, params }) => getAuditChoices(db, params.organizationId),
  downloadAuditLog: ({ db, exportPool, params, query }) => downloadLog({ db, exportPool }, params.organizationId, query),
  listVendorAuditEntries: async ({ db, query }) => listEntries(db, null, query),
  getVendorAuditChoices: ({ db }) => getAuditChoices(db, null),
  downloadVendorAuditLog: ({ db, exportPool, query }) => downloadLog({ db, exportPool }, null, query),
} satisfies Partial<Handlers>

import type { Handlers } from '../lib/http/serve.ts'
import { auditChoices, auditLog } from './audit.ts'
import { downloadLog } from './download.ts'

export const auditRoutes = {
  listAuditEntries: async ({ db, params, query }) => auditLog(db, params.organizationId, query),
  listDeviceAuditEntries: async ({ db, params, query }) => auditLog(db, params.organizationId, { ...query, device: params.serialNumber }),
  getAuditChoices: ({ db, params }) => auditChoices(db, params.organizationId),
  downloadAuditLog: ({ db, params, query }) => downloadLog(db, params.organizationId, query),
  listVendorAuditEntries: async ({ db, query }) => auditLog(db, null, query),
  getVendorAuditChoices: ({ db }) => auditChoices(db, null),
  downloadVendorAuditLog: ({ db, query }) => downloadLog(db, null, query),
} satisfies Partial<Handlers>

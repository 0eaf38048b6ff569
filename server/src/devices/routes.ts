import type { Handlers } from '../lib/http/serve.ts'
import { checkFilter, getDevice, getDeviceTotals, getModelTotals, listDevices } from './devices.ts'
import { downloadDevices } from './download.ts'

export const deviceRoutes = {
  getDeviceTotals: ({ db, params }) => getDeviceTotals(db, params.organizationId),
  getModelTotals: ({ db, params }) => getModelTotals(db, params.organizationId, params.device),
  listDevices: ({ db, params, query }) => listDevices(db, params.organizationId, query),
  getDevice: ({ db, params }) => getDevice(db, params.organizationId, params.serialNumber),
  downloadDevices: ({ db, params, query }) => {
    checkFilter(query)
    return downloadDevices(db, params.organizationId, query, query)
  },
} satisfies Partial<Handlers>

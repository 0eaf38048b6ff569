import type { Handlers } from '../lib/http/serve.ts'
import { downloadDevices } from './download.ts'
import { modelTotals } from './model-totals.ts'
import { checkFilter, devicePage, deviceTotals, getDevice } from './pages.ts'

export const deviceRoutes = {
  getDeviceTotals: ({ db, params }) => deviceTotals(db, params.organizationId),
  getModelTotals: ({ db, params }) => modelTotals(db, params.organizationId, params.device),
  listDevices: ({ db, params, query }) => devicePage(db, params.organizationId, query),
  getDevice: ({ db, params }) => getDevice(db, params.organizationId, params.serialNumber),
  downloadDevices: ({ db, params, query }) => {
    checkFilter(query)
    return downloadDevices(db, params.organizationId, query, query)
  },
} satisfies Partial<Handlers>

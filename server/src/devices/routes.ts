import type { Handlers } from '../lib/http/serve.ts'
import { getDeviceTotals, getModelTotals } from './devices.ts'
import { listDeviceEvents } from './history.ts'
import { deleteDevice, downloadDevices, getDevice, listDevices } from './list.ts'

export const deviceRoutes = {
  getDeviceTotals: ({ db, params }) => getDeviceTotals(db, params.organizationId),
  getModelTotals: ({ db, params }) => getModelTotals(db, params.organizationId, params.device),
  listDevices: ({ db, lists, params, query }) => listDevices(db, params.organizationId, query, lists),
  getDevice: ({ db, params }) => getDevice(db, params.organizationId, params.serialNumber),
  listDeviceEvents: ({ db, params, query }) => listDeviceEvents(db, params, query),
  deleteDevice: ({ db, actor, params }) => deleteDevice(db, actor, params.organizationId, params.serialNumber),
  downloadDevices: ({ db, exportPool, params, query }) => downloadDevices({ db, exportPool }, params.organizationId, query, query),
} satisfies Partial<Handlers>

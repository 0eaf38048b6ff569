import type { Handlers } from '../lib/http/serve.ts'
import { getDeviceTotals, getModelTotals } from './devices.ts'
import { listDeviceEvents } from './history.ts'
import { deleteDevice, downloadDevices, downloadDevicesWorkbook, getDevice, listDevices } from './list.ts'

export const deviceRoutes = {
  getDeviceTotals: ({ db, params }) => getDeviceTotals(db, params),
  getModelTotals: ({ db, params }) => getModelTotals(db, params, params.device),
  listDevices: ({ db, lists, params, query }) => listDevices(db, params, query, lists),
  getDevice: ({ db, params }) => getDevice(db, params, params.serialNumber),
  listDeviceEvents: ({ db, params, query }) => listDeviceEvents(db, params, query),
  deleteDevice: ({ db, actor, params }) => deleteDevice(db, actor, params, params.serialNumber),
  downloadDevices: ({ db, exportPool, params, query }) => downloadDevices({ db, exportPool }, params, query),
  downloadDevicesWorkbook: ({ db, exportPool, workbooks, params, query }) =>
    downloadDevicesWorkbook({ db, exportPool }, workbooks, params, query),
} satisfies Partial<Handlers>

import type { Handlers } from '../lib/http/serve.ts'
import { getDeviceFirmware, reapplyFirmware } from './device-firmware.ts'
import { getZoneFirmware, listAvailable, listRunningFirmware, publishFile, publishVersion } from './firmware.ts'
import { listReleases, offerRelease, removeRelease, uploadRelease } from './releases.ts'

export const firmwareRoutes = {
  getDeviceFirmware: ({ db, params }) => getDeviceFirmware(db, params, params.serialNumber),
  reapplyFirmware: ({ db, ...call }) => reapplyFirmware(db, call),
  getZoneFirmware: ({ db, params }) => getZoneFirmware(db, params),
  listRunningFirmware: ({ db, params }) => listRunningFirmware(db, params),
  publishFirmwareVersion: (call) => publishVersion(call.db, { ...call, ...call.body }, call.body.firmwareVersion),
  publishFirmwareFile: (call) => publishFile(call.db, { ...call, ...call.fields }, call.file),
  listAvailableFirmware: ({ db, params }) => listAvailable(db, params.device),
  listFirmwareReleases: ({ db }) => listReleases(db),
  uploadFirmwareRelease: (call) => uploadRelease(call.db, call.actor, call.file, call.fields),
  offerFirmwareRelease: (call) => offerRelease(call.db, call.actor, call.params.id, call.body.isOffered),
  deleteFirmwareRelease: (call) => removeRelease(call.db, call.actor, call.params.id),
} satisfies Partial<Handlers>

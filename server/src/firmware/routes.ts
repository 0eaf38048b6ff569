import type { Handlers } from '../lib/http/serve.ts'
import { deviceFirmware, reapplyFirmware } from './device-firmware.ts'
import { publishFile, publishVersion, runningFirmware, zoneFirmware } from './firmware.ts'
import { offerRelease, releaseList, removeRelease, uploadRelease } from './releases.ts'
import { selectOffered } from './sql.ts'

export const firmwareRoutes = {
  getDeviceFirmware: ({ db, params }) => deviceFirmware(db, params.organizationId, params.serialNumber),
  reapplyFirmware: ({ db, ...call }) => reapplyFirmware(db, call),
  getZoneFirmware: ({ db, params }) => zoneFirmware(db, params),
  listRunningFirmware: ({ db, params }) => runningFirmware(db, params),
  publishFirmwareVersion: (call) => publishVersion(call.db, { ...call, ...call.body }, call.body.firmwareVersion),
  publishFirmwareFile: (call) => publishFile(call.db, { ...call, ...call.fields }, call.file),
  listAvailableFirmware: ({ db, params }) => selectOffered(db, params.device),
  listFirmwareReleases: ({ db }) => releaseList(db),
  uploadFirmwareRelease: (call) => uploadRelease(call.db, call, call.file, call.fields),
  offerFirmwareRelease: (call) => offerRelease(call.db, call, call.params.id, call.body.isOffered),
  deleteFirmwareRelease: (call) => removeRelease(call.db, call, call.params.id),
} satisfies Partial<Handlers>

import type { Handlers } from '../lib/http/serve.ts'
import { listAvailable } from './firmware.ts'
import { listReleases, offerRelease, removeRelease, uploadRelease } from './releases.ts'

export const firmwareRoutes = {
  listAvailableFirmware: ({ db, params }) => listAvailable(db, params.device),
  listFirmwareReleases: ({ db }) => listReleases(db),
  uploadFirmwareRelease: (call) => uploadRelease(call.db, call.actor, call.file, call.fields),
  offerFirmwareRelease: (call) => offerRelease(call.db, call.actor, call.params.id, call.body.isOffered),
  deleteFirmwareRelease: (call) => removeRelease(call.db, call.actor, call.params.id),
} satisfies Partial<Handlers>

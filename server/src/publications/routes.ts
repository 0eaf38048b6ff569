import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { maxCfgLength } from '@lectern/contract/publications/cfg.ts'
import { type Handlers, writePrepared } from '../lib/http/serve.ts'
import { publishAs, toRolloutId } from './limited-rollout-ids.ts'
import { findSaved } from './part-contents.ts'
import { previewPublication } from './preview.ts'
import { publishConfiguration, publishFirmwareFile, publishVersion, requireZone } from './publish-to-zone.ts'
import { publishToZones } from './publish-to-zones.ts'
import { getDeviceConfiguration, getDeviceFirmware, previewReapply, reapplyContent } from './readers/device-content.ts'
import { getDesiredConfiguration, getZoneFirmware, listRunningFirmware } from './running.ts'
import { checkUpload } from './scripts.ts'
import { keepUpload } from './uploads/uploads.ts'

const defaultCodeRules = new URL('./default-code-rules.js', import.meta.url)

export const publicationRoutes = {
  publishCfg: async (call) => {
    const bytes = Buffer.from(call.body.cfg, 'utf8')
    const file = await call.contents.receive(Readable.from([bytes]), 'cfg', maxCfgLength * 4)
    try {
      return await publishAs(call, call.body, (body) => publishConfiguration(call.db, { ...call, ...body }, file, { kind: 'cfg' }))
    } finally {
      await file.discard()
    }
  },
  publishCodeRules: writePrepared(checkUpload, (call, warnings) =>
    publishAs(call, call.fields, (fields) => publishConfiguration(call.db, { ...call, ...fields }, call.file, { kind: 'file', warnings })),
  ),
  publishLibraryVersion: async (call) => {
    // The zone is looked up first, as its 404 comes before the version's 409.
    await requireZone(call.db, call.params)
    const { bytes, ...version } = await findSaved(call.db, call.params.organizationId, call.body, call.params.device)
    const file = await call.contents.receive(Readable.from([bytes]), version.name, bytes.length)
    try {
      return await publishAs(call, call.body, (body) => publishConfiguration(call.db, { ...call, ...body }, file, version))
    } finally {
      await file.discard()
    }
  },
  getRunningConfiguration: (call) => getDesiredConfiguration(call.db, call.params, call.contents),
  publishToZones: (call) => publishToZones({ ...call, body: { ...call.body, key: toRolloutId(call.params, call.caller, call.body.key) } }),
  previewPublication: (call) => previewPublication(call),
  uploadScript: writePrepared(checkUpload, (call, warnings) => keepUpload(call, 'script', warnings)),
  uploadFirmware: (call) => keepUpload(call, 'firmware-file'),
  getDeviceConfiguration: ({ db, params }) => getDeviceConfiguration(db, params, params.serialNumber),
  previewReapplyConfiguration: ({ db, ...call }) => previewReapply(db, call, 'configuration'),
  reapplyConfiguration: ({ db, ...call }) => reapplyContent(db, call, 'configuration', call.body.expected),
  publishFirmwareVersion: (call) =>
    publishAs(call, call.body, (body) => publishVersion(call.db, { ...call, ...body }, body.firmwareVersion)),
  publishFirmwareFile: (call) => publishAs(call, call.fields, (fields) => publishFirmwareFile(call.db, { ...call, ...fields }, call.file)),
  getZoneFirmware: ({ db, params }) => getZoneFirmware(db, params),
  listRunningFirmware: ({ db, params }) => listRunningFirmware(db, params),
  getDeviceFirmware: ({ db, params }) => getDeviceFirmware(db, params, params.serialNumber),
  previewReapplyFirmware: ({ db, ...call }) => previewReapply(db, call, 'firmware'),
  reapplyFirmware: ({ db, ...call }) => reapplyContent(db, call, 'firmware', call.body.expected),
  getDefaultCodeRules: async () => ({ fileName: 'default-code-rules.js', script: await readFile(defaultCodeRules, 'utf8') }),
} satisfies Partial<Handlers>

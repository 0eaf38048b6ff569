import { latestVersion } from '@lectern/contract/firmware/firmware.ts'
import type { PartContent, PublishInput } from '@lectern/contract/publications/publish-to-zones.ts'
import type { Api, CallOptions } from '../../lib/api/fetch.ts'
import { toFirmwareFile } from '../content/firmware-choice.ts'
import { type Piece, type PieceName, pieceName } from '../draft/choices.ts'
import { toFile } from '../draft/file-data.ts'
import type { WizardState } from '../wizard.ts'
import type { ManyZones } from './chosen-zones.ts'

interface Sending {
  call: Api['call']
  organizationId: string
  upload: <Result>(name: PieceName, start: (options: CallOptions) => Promise<Result>) => Promise<Result>
}

/** Files are uploaded first, then all pieces are published in one call, or none is. */
export async function sendTogether(
  sending: Sending,
  state: WizardState,
  { zones, filter }: ManyZones,
  pieces: readonly Piece[],
  key: string,
): Promise<unknown> {
  const parts: PublishInput['parts'] = []
  for (const piece of pieces) parts.push({ model: piece.device, content: await toContent(sending, state, piece) })
  const ids = zones.map(({ id }) => id)
  const body: PublishInput = {
    key,
    zones: filter ? { filter } : { ids },
    ...(filter && { expectedZones: ids }),
    parts,
    when: state.when === 'now' ? { now: true, ...(state.outsideWindow && { outsideWindow: 'allowed' }) } : { updateTime: state.updateTime },
    ...(state.withoutHost && { withoutHost: true }),
  }
  return sending.call('publishToZones', { params: { organizationId: sending.organizationId }, body })
}

async function toContent({ call, organizationId, upload }: Sending, state: WizardState, piece: Piece): Promise<PartContent> {
  const { config, firmware } = state.devices[piece.device] ?? {}
  const params = { organizationId }
  if (piece.part === 'config') {
    if (config?.choice.type === 'cfg') return { kind: 'cfg', text: config.choice.text }
    if (config?.choice.type === 'saved' && config.choice.id !== null && config.choice.version !== null)
      return { kind: 'saved', configurationId: config.choice.id, version: config.choice.version }
    const script = config?.choice.type === 'file' ? toFile(config.choice) : null
    if (!script) throw new Error(`${piece.device} has no configuration.`)
    const { sha256, fileName } = await upload(pieceName(piece), (more) => call('uploadScript', { params, file: script }, more))
    return { kind: 'script', sha256, fileName }
  }
  if (firmware?.choice.type === 'latest') return { kind: 'firmware', version: latestVersion }
  if (firmware?.choice.type === 'versioned') return { kind: 'firmware', version: firmware.choice.version }
  const file = firmware?.choice.type === 'custom' ? toFirmwareFile(firmware.choice) : null
  if (!file) throw new Error(`${piece.device} has no firmware.`)
  const { sha256, fileName } = await upload(pieceName(piece), (more) => call('uploadFirmware', { params, file }, more))
  return { kind: 'firmware-file', sha256, fileName }
}

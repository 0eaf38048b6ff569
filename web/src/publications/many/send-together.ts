import type { PartContent, PublishInput } from '@lectern/contract/publications/publish-to-zones.ts'
import type { Api, CallOptions } from '../../lib/api/fetch.ts'
import { type Piece, type PieceName, pieceName } from '../content/choices.ts'
import { getContent } from '../content/chosen-content.ts'
import { checkReadable } from '../draft/file-data.ts'
import { getZone, pickName, pickSafety, type WizardState } from '../wizard-state.ts'

interface Sending {
  call: Api['call']
  organizationId: string
  upload: <Result>(name: PieceName, start: (options: CallOptions) => Promise<Result>) => Promise<Result>
}

/** Publishes all pieces in one call, or none. Their files are uploaded first. */
export async function sendTogether({ call, organizationId, upload }: Sending, state: WizardState, pieces: readonly Piece[], key: string) {
  const params = { organizationId }
  const body = await toPublishInput(state, pieces, key, async (piece, name, file) => {
    await checkReadable(file)
    return upload(pieceName(piece), (more) => call(name, { params, file }, more))
  })
  return call('publishToZones', { params, body })
}

type Keep = (piece: Piece, name: 'uploadScript' | 'uploadFirmware', file: File) => Promise<{ sha256: string; fileName: string }>

/**
 * Makes the body of a publish to several zones.
 * @param keep stores a file, and returns what names it in the body
 */
export async function toPublishInput(state: WizardState, pieces: readonly Piece[], key: string, keep: Keep): Promise<PublishInput> {
  const { id, many } = getZone(state)
  const parts: PublishInput['parts'] = []
  for (const piece of pieces) parts.push({ model: piece.device, content: await toContent(state, piece, keep) })
  const ids = many?.zones.map((zone) => zone.id) ?? [id]
  return {
    key,
    name: pickName(state),
    zones: many?.filter ? { filter: many.filter } : { ids },
    ...(many?.filter && { expectedZones: ids }),
    parts,
    when: state.when === 'now' ? { now: true, ...(state.outsideWindow && { outsideWindow: 'allowed' }) } : { updateTime: state.updateTime },
    ...(state.withoutHost && { withoutHost: true }),
    ...pickSafety(state),
  }
}

async function toContent(state: WizardState, piece: Piece, keep: Keep): Promise<PartContent> {
  const content = getContent(state, piece)
  if (!('file' in content)) return content
  const { kind, file } = content
  const { sha256, fileName } = await keep(piece, kind === 'script' ? 'uploadScript' : 'uploadFirmware', file)
  return { kind, sha256, fileName }
}

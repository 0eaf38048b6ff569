import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useApi } from '../lib/api/api.ts'
import type { CallOptions } from '../lib/api/fetch.ts'
import { markStale } from '../lib/api/query.ts'
import { useUploads } from '../lib/api/uploads.ts'
import { type Piece, type PieceName, pieceName, samePiece } from './content/choices.ts'
import { getContent } from './content/chosen-content.ts'
import { checkReadable } from './draft/file-data.ts'
import type { WizardStore } from './draft/wizard-store.ts'
import { sendTogether } from './many/send-together.ts'
import { planSending, publishAll } from './publishing.ts'
import { getZone, pickName, pickSafety, reduceWizard, type WizardAction, type WizardState } from './wizard-state.ts'

/**
 * Returns what publishes pieces. Their idempotency keys are stored before the first byte is sent, so no piece is published twice. Uploads end
 * when the screen is left. `onPublished`: called with the rollout's id once nothing is left to publish.
 */
export function usePublish(store: WizardStore, onPublished: (rollout: string) => void, onFailed: () => void) {
  const { dispatch, commit } = store
  const [sending, setSending] = useState<readonly Piece[]>([])
  const { upload, progress, cancel } = useUploads<PieceName>()
  const { send, call, organizationId } = useSend(upload)
  const [, fail] = useState<never>()

  /** Makes the changes, such as another time, and publishes the pieces. Where the changes drop what was published, it is published again. */
  async function publish(pieces: readonly Piece[], changes: readonly WizardAction[] = []) {
    const state = changes.reduce(reduceWizard, store.state)
    const { chosen, isAll, rollout, keys } = planSending(store.state, state, pieces, () => crypto.randomUUID())
    let together: ReturnType<typeof sendTogether> | undefined
    // Several zones get all pieces by one call, however many pieces there are.
    const sendAll = () => (together ??= sendTogether({ call, organizationId, upload }, state, chosen, rollout))
    const sendOne = (piece: Piece) => send(state, piece, rollout, { idempotencyKey: keys[pieceName(piece)] ?? '' })
    let published = rollout
    setSending(chosen)
    await commit([...changes, { type: 'sending', keys, rollout }])
    try {
      const hasPublished = await publishAll(
        chosen,
        async (piece) => {
          const { rolloutId } = await (state.configZone?.many ? sendAll() : sendOne(piece))
          published = rolloutId ?? rollout
        },
        (piece, outcome) => {
          dispatch({ type: 'answered', piece, outcome })
          setSending((before) => before.filter((each) => !samePiece(each, piece)))
        },
      )
      if (!hasPublished) onFailed()
      else if (isAll) onPublished(published)
    } catch (failure) {
      // A failure that is not an Error is shown by the error page (spec §4).
      fail(() => {
        throw failure
      })
    } finally {
      setSending([])
    }
  }

  return { publish, sending, progress, cancel: (piece: Piece) => cancel(pieceName(piece)) }
}

type Upload = <Result>(name: PieceName, start: (options: CallOptions) => Promise<Result>) => Promise<Result>

function useSend(upload: Upload) {
  const organizationId = useOrganization()
  const api = useApi()
  const client = useQueryClient()
  const call: typeof api.call = async (name, ...rest) => {
    const response = await api.call(name, ...rest)
    void markStale(client, name)
    return response
  }
  const send = async (
    state: WizardState,
    piece: Piece,
    rollout: string,
    options: CallOptions,
  ): Promise<{ rolloutId?: string | undefined }> => {
    const params = { organizationId, location: getZone(state).id, device: piece.device }
    const settings = {
      ...(state.when === 'now'
        ? { when: 'now' as const, ...(state.outsideWindow && { outsideWindow: 'allowed' as const }) }
        : { updateTime: state.updateTime }),
      rollout,
      rolloutName: pickName(state),
      ...pickSafety(state),
    }
    const content = getContent(state, piece)
    switch (content.kind) {
      case 'cfg':
        return call('publishCfg', { params, body: { cfg: content.text, ...settings } }, options)
      case 'saved': {
        const { configurationId, version } = content
        return call('publishLibraryVersion', { params, body: { configurationId, version, ...settings } }, options)
      }
      case 'script':
        return call('publishCodeRules', { params, file: content.file, fields: settings }, options)
      case 'firmware':
        return call('publishFirmwareVersion', { params, body: { firmwareVersion: content.version, ...settings } }, options)
      case 'firmware-file': {
        const { file } = content
        await checkReadable(file)
        return upload(pieceName(piece), (more) => call('publishFirmwareFile', { params, file, fields: settings }, { ...options, ...more }))
      }
    }
  }
  return { send, call, organizationId }
}

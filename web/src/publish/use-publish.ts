import { latestVersion } from '@lectern/contract/firmware/firmware.ts'
import { useEffect, useRef, useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useApi } from '../lib/api/api.ts'
import type { CallOptions } from '../lib/api/fetch.ts'
import { customFile } from './content/firmware-choice.ts'
import { type Piece, type PieceName, pieceName, samePiece } from './draft/choices.ts'
import { chosenFile } from './draft/file-data.ts'
import type { WizardStore } from './draft/wizard-store.ts'
import { keysFor, publishAll } from './publishing.ts'
import { location, unpublished } from './wizard.ts'

/** How much of a file has gone, in bytes. */
export type Sent = { sent: number; total: number }

/**
 * Publishes pieces: their keys are safe before the first byte leaves, so whatever happens none is published twice. Uploads tell how far they
 * are, can be cancelled, and end with the screen. `onPublished` is called when no piece is left, `onFailed` when some are.
 */
export function usePublish(store: WizardStore, onPublished: (rollout: string) => void, onFailed: () => void) {
  const organizationId = useOrganization()
  const { call } = useApi()
  const [sending, setSending] = useState<readonly Piece[]>([])
  const [progress, setProgress] = useState<Partial<Record<PieceName, Sent>>>({})
  const uploads = useRef(new Map<PieceName, AbortController>())
  const [, fail] = useState<never>()
  const { state, dispatch, commit } = store
  useEffect(() => {
    const { current } = uploads
    return () => {
      for (const upload of current.values()) upload.abort(cancelled())
    }
  }, [])

  async function send(piece: Piece, rollout: string, options: CallOptions): Promise<unknown> {
    const { device } = piece
    const params = { organizationId, location: location(state).id, device }
    const when = { updateTime: state.updateTime, rollout }
    const { config, firmware } = state.devices[device] ?? {}
    if (piece.part === 'config') {
      if (config?.choice.type === 'cfg') return call('publishCfg', { params, body: { cfg: config.choice.text, ...when } }, options)
      const file = config?.choice.type === 'file' ? chosenFile(config.choice) : null
      if (!file) throw new Error(`${device} has no configuration.`)
      return call('publishCodeRules', { params, file, fields: when }, options)
    }
    if (firmware?.choice.type === 'latest' || firmware?.choice.type === 'versioned') {
      const firmwareVersion = firmware.choice.type === 'latest' ? latestVersion : firmware.choice.version
      return call('publishFirmwareVersion', { params, body: { firmwareVersion, ...when } }, options)
    }
    const file = firmware?.choice.type === 'custom' ? customFile(firmware.choice) : null
    if (!file) throw new Error(`${device} has no firmware.`)
    await checkReadable(file)
    return upload(pieceName(piece), (more) => call('publishFirmwareFile', { params, file, fields: when }, { ...options, ...more }))
  }

  async function upload(name: PieceName, start: (options: CallOptions) => Promise<unknown>): Promise<unknown> {
    const controller = new AbortController()
    uploads.current.set(name, controller)
    const show = (sent?: Sent) =>
      setProgress(({ [name]: _, ...others }) => (sent ? { ...others, [name]: sent } : others) as typeof progress)
    show({ sent: 0, total: 0 })
    try {
      return await start({ signal: controller.signal, onSent: (sent, total) => show({ sent, total }) })
    } finally {
      uploads.current.delete(name)
      show()
    }
  }

  async function publish(chosen: readonly Piece[]) {
    const others = unpublished(state).filter((piece) => !chosen.some((each) => samePiece(each, piece)))
    const keys = keysFor(chosen, state.attempts, () => crypto.randomUUID())
    const rollout = state.rollout ?? crypto.randomUUID()
    setSending(chosen)
    await commit({ type: 'sending', keys, rollout })
    try {
      const all = await publishAll(
        chosen,
        async (piece) => send(piece, rollout, { idempotencyKey: keys[pieceName(piece)] ?? '' }),
        (piece, outcome) => {
          dispatch({ type: 'settled', piece, outcome })
          setSending((before) => before.filter((each) => !samePiece(each, piece)))
        },
      )
      if (!all) onFailed()
      else if (others.length === 0) onPublished(rollout)
    } catch (failure) {
      // No Error: the error page's matter (spec §4).
      fail(() => {
        throw failure
      })
    } finally {
      setSending([])
    }
  }

  return { publish, sending, progress, cancel: (piece: Piece) => uploads.current.get(pieceName(piece))?.abort(cancelled()) }
}

const cancelled = () => new Error('The upload was cancelled.')

/** A file stays where it is until it is sent: somebody may have moved it. Throws a sentence where it cannot be read. */
async function checkReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw new Error(`The file ${file.name} could not be read. It may have been moved or changed: choose it again.`)
  }
}

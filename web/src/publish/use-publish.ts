import type { UpdateModel } from '@lectern/contract/device-models.ts'
import { useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useApi } from '../lib/api.ts'
import { chosenFile } from './file-data.ts'
import { keysFor, publishAll } from './publishing.ts'
import { location, unpublished } from './wizard.ts'
import type { WizardStore } from './wizard-store.ts'

/**
 * Publishes models: their keys are safe before the first byte leaves, so whatever happens none is published twice.
 * `onPublished` is called when no model is left, `onFailed` when some are.
 */
export function usePublish(store: WizardStore, onPublished: () => void, onFailed: () => void) {
  const organizationId = useOrganization()
  const { call } = useApi()
  const [sending, setSending] = useState<readonly UpdateModel[]>([])
  const [, fail] = useState<never>()
  const { state, dispatch, commit } = store

  function send(device: UpdateModel, idempotencyKey: string): Promise<unknown> {
    const params = { organizationId, location: location(state).id, device }
    const { updateTime } = state
    const choice = state.devices[device]?.config?.choice
    if (choice?.type === 'cfg') return call('publishCfg', { params, body: { cfg: choice.text, updateTime } }, { idempotencyKey })
    const file = choice?.type === 'file' ? chosenFile(choice) : null
    if (!file) throw new Error(`${device} has no configuration.`)
    return call('publishCodeRules', { params, file, fields: { updateTime } }, { idempotencyKey })
  }

  async function publish(devices: readonly UpdateModel[]) {
    const others = unpublished(state).filter((device) => !devices.includes(device))
    const keys = keysFor(devices, state.attempts, () => crypto.randomUUID())
    setSending(devices)
    await commit({ type: 'sending', keys })
    try {
      const all = await publishAll(
        devices,
        async (device) => send(device, keys[device] ?? ''),
        (device, outcome) => {
          dispatch({ type: 'settled', device, outcome })
          setSending((before) => before.filter((each) => each !== device))
        },
      )
      if (!all) onFailed()
      else if (others.length === 0) onPublished()
    } catch (failure) {
      // No Error: the error page's matter (spec §4).
      fail(() => {
        throw failure
      })
    } finally {
      setSending([])
    }
  }

  return { publish, sending }
}

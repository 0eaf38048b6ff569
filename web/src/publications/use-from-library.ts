import { UpdateModelName } from '@lectern/contract/devices/device-models.ts'
import { versionName } from '@lectern/contract/publications/version-name.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import type { WizardStore } from './draft/wizard-store.ts'

/** Chooses the library entry and version that the address names, for its model. Returns whether it is not in the library. */
export function useFromLibrary({ dispatch }: Pick<WizardStore, 'dispatch'>): boolean {
  const [address, setAddress] = useSearchParams()
  const id = address.get('configuration')
  const organizationId = useOrganization()
  const { data, isError } = useQuery({ ...q('getLibraryEntry', { params: { organizationId, id: id ?? '' } }), enabled: id !== null })
  const take = useEffectEvent((entry: NonNullable<typeof data>) => {
    const { data: device } = UpdateModelName.safeParse(entry.device)
    const version = entry.versions.find(({ number }) => number === Number(address.get('version')))?.number ?? entry.version
    if (device) {
      dispatch({ type: 'enable', part: 'config', device, enabled: true })
      dispatch({ type: 'edit', device, config: { type: 'saved', id: entry.id, version, name: versionName(entry.name, version) } })
      dispatch({ type: 'saveConfig', device })
    }
    setAddress({}, { replace: true })
  })
  useEffect(() => {
    if (id !== null && data?.id === id) take(data)
  }, [id, data])
  return isError && id !== null
}

import { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { ReaderState } from '@lectern/contract/rollouts/rollouts.ts'
import { Uuid } from '@lectern/contract/text/text.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import * as z from 'zod/mini'
import { useOrganization } from '../lib/active-organization.ts'
import { useReadAgain } from '../lib/api/live.ts'
import { q } from '../lib/api/query.ts'
import { joined, listAddress, optional, pageQuery, text, useList } from '../lib/list-address.ts'
import { rolloutPartsAddress } from './use-rollout-parts.ts'

const filters = {
  search: text(64),
  zone: optional(Uuid),
  model: optional(DeviceModel),
  state: optional(ReaderState),
  phase: optional(z.enum(['1', '2', '3', '4', '5', '6'])),
}
export const rolloutReadersAddress = listAddress({ filters, size: 25 })

export type ReadersLink = (filter: Partial<typeof rolloutReadersAddress.first>) => { search: string; hash: string }

// Keeps the parameters of the list of zones.
export function useReadersLink(): ReadersLink {
  const [address] = useSearchParams()
  return (filter) => ({
    search: String(joined(rolloutReadersAddress.write({ ...rolloutReadersAddress.first, ...filter }), rolloutPartsAddress.own(address))),
    hash: 'readers',
  })
}

const refreshEvery = 5_000

/** The page of readers in the address, with their zones, read again at each event of the rollout. */
export function useRolloutReaders(id: string, at: string | undefined) {
  const organizationId = useOrganization()
  const list = useList(rolloutReadersAddress, rolloutPartsAddress)
  const { search, zone, model, state, phase } = list.state
  const query = useQuery({
    ...q('listRolloutReaders', {
      params: { organizationId, id },
      query: {
        ...pageQuery(list.state),
        textFilter: search.trim(),
        zone: zone || undefined,
        model: model || undefined,
        state: state || undefined,
        phase: phase ? Number(phase) : undefined,
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
  useReadAgain(query, at)
  return { list, query }
}

export type RolloutReaderList = ReturnType<typeof useRolloutReaders>

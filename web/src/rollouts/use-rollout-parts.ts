import { zoneColumns, zoneFilters } from '@lectern/contract/rollouts/rollout-filters.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { useReadAgain } from '../lib/api/live.ts'
import { q } from '../lib/api/query.ts'
import { type ListAddress, listAddress, oneOf, pageQuery, searchQuery, sortQuery, text, useList } from '../lib/list-address.ts'

export const rolloutPartsAddress = listAddress({
  filters: { search: text(), state: oneOf(['', ...zoneFilters]) },
  sort: { columns: zoneColumns, first: { id: 'Name', descending: false } },
  prefix: 'zones-',
})

/** Milliseconds between reads of the page where no event comes. */
const refreshEvery = 5_000

/** The page of zones in the address, read again at each event of the rollout. `id`: the rollout's. `at`: the time of its newest event. */
export function useRolloutParts(id: string, at: string | undefined, beside: Pick<ListAddress, 'own'>) {
  const organizationId = useOrganization()
  const list = useList(rolloutPartsAddress, beside)
  const { search, state, sort } = list.state
  const { first } = rolloutPartsAddress
  const query = useQuery({
    ...q('listRolloutParts', {
      params: { organizationId, id },
      query: {
        ...pageQuery(list.state),
        ...searchQuery(search),
        ...(state !== '' && { state }),
        ...((sort.id !== first.sort.id || sort.descending) && sortQuery(sort)),
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
  useReadAgain(query, at)
  return { list, query }
}

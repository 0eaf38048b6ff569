import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { type ListAddress, listAddress, pageQuery, searchQuery, text, useList } from '../lib/list-address.ts'

export const rolloutPartsAddress = listAddress({ filters: { search: text() }, prefix: 'zones-' })

/** Milliseconds until the page is read again where no event says that the rollout has changed. */
const refreshEvery = 5_000

/** The page of zones that the address asks for, read again with each event of the rollout. `id` is the rollout's, `at` the time of its newest event. */
export function useRolloutParts(id: string, at: string | undefined, beside: Pick<ListAddress, 'own'>) {
  const organizationId = useOrganization()
  const list = useList(rolloutPartsAddress, beside)
  const query = useQuery({
    ...q('listRolloutParts', { params: { organizationId, id }, query: { ...pageQuery(list.state), ...searchQuery(list.state.search) } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
  const { refetch } = query
  useEffect(() => {
    if (at) void refetch({ cancelRefetch: false })
  }, [at, refetch])
  return { list, query }
}

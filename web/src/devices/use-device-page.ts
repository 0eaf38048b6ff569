import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '../lib/api/query.ts'
import { type DeviceList, pageQuery } from './device-list.ts'
import { refreshEvery } from './refresh.ts'

/** The page of readers a list shows, the former one until it is there; the pages before and after it are fetched ahead (spec §4). */
export function useDevicePage(organizationId: string, list: DeviceList) {
  const client = useQueryClient()
  const pageAt = (page: number) => q('listDevices', { params: { organizationId }, query: pageQuery(list, page) })
  const devices = useQuery({
    ...pageAt(list.page),
    placeholderData: keepPreviousData,
    // Long enough that a page fetched ahead is not fetched again at once.
    staleTime: refreshEvery / 3,
    refetchInterval: refreshEvery,
  })

  const total = devices.isPlaceholderData ? undefined : devices.data?.totalCount
  useEffect(() => {
    if (total === undefined) return
    const last = Math.ceil(total / list.size) - 1
    for (const page of [list.page + 1, list.page - 1])
      if (page >= 0 && page <= last) void client.prefetchQuery({ ...pageAt(page), staleTime: refreshEvery })
  }, [client, organizationId, list, total])
  return devices
}

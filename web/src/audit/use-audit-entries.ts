import type { AuditFilter, AuditPage } from '@lectern/contract/audit/audit.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '../lib/api/api.ts'

/** Whose log it is: an organization's id; null for changes that concern none. */
export type Log = string | null

/** `fold`: one entry per rollout. */
export function useAuditEntries(log: Log, filter: AuditFilter, { size = 50, fold = false } = {}) {
  const { call } = useApi()
  return useInfiniteQuery({
    queryKey: ['listAuditEntries', log, filter, size, fold],
    queryFn: ({ pageParam, signal }): Promise<AuditPage> => {
      const query = { ...filter, PageNumber: 0, PageSize: size, ...(pageParam !== null && { before: pageParam }) }
      return log === null
        ? call('listVendorAuditEntries', { query }, { signal })
        : call('listAuditEntries', { params: { organizationId: log }, query: { ...query, fold } }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ entryList }) => (entryList.length < size ? null : (entryList.at(-1)?.id ?? null)),
    placeholderData: keepPreviousData,
  })
}

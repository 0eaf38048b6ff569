import type { AuditChoices, AuditFilter, AuditPage } from '@lectern/contract/audit/audit.ts'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useApi } from '../lib/api/api.ts'

const size = 50

/** Whose log: an organization's, or null for changes that concern none. */
export type Log = string | null

/** What a filter shows of a log, or of what it says of one reader: the newest entries, and older ones page by page as they are asked for. */
export function useAuditLog(log: Log, filter: AuditFilter, serialNumber?: string) {
  const { call } = useApi()
  return useInfiniteQuery({
    queryKey: ['listAuditEntries', log, filter, serialNumber],
    queryFn: ({ pageParam, signal }): Promise<AuditPage> => {
      const query = { ...filter, PageNumber: 0, PageSize: size, ...(pageParam !== null && { before: pageParam }) }
      if (log === null) return call('listVendorAuditEntries', { query }, { signal })
      return serialNumber !== undefined
        ? call('listDeviceAuditEntries', { params: { organizationId: log, serialNumber }, query }, { signal })
        : call('listAuditEntries', { params: { organizationId: log }, query }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ entryList }) => (entryList.length < size ? null : (entryList.at(-1)?.id ?? null)),
    placeholderData: keepPreviousData,
  })
}

/** What a log can be filtered by. */
export function useAuditChoices(log: Log): AuditChoices | undefined {
  const { call } = useApi()
  return useQuery({
    queryKey: ['getAuditChoices', log],
    queryFn: ({ signal }): Promise<AuditChoices> =>
      log === null
        ? call('getVendorAuditChoices', {}, { signal })
        : call('getAuditChoices', { params: { organizationId: log } }, { signal }),
  }).data
}

/** Fetches what a filter shows as a file. */
export function useAuditDownload(log: Log): (filter: AuditFilter) => Promise<File> {
  const { download } = useApi()
  return (query) =>
    log === null
      ? download('downloadVendorAuditLog', { query }, 'audit-log.csv')
      : download('downloadAuditLog', { params: { organizationId: log }, query }, 'audit-log.csv')
}

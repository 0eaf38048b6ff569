import type { LicenceType } from '@lectern/contract/licences/licences.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { isBackwards, type LicenceList, pageQuery } from './licence-list.ts'

/** The page of licences that a list shows, the former one until it is there. */
export const useLicencePage = (organizationId: string, list: LicenceList) =>
  useQuery({
    ...q('listLicences', { params: { organizationId }, query: pageQuery(list) }),
    placeholderData: keepPreviousData,
    enabled: !isBackwards(list),
  })

/** What licences can be for. */
export const useLicenceTypes = (organizationId: string) => useQuery(q('listLicenceTypes', { params: { organizationId } }))

/** The name of a type; nothing until it is known. */
export const typeName = (types: readonly LicenceType[] | undefined, id: number): string =>
  types?.find(({ licenseId }) => licenseId === id)?.name ?? ''

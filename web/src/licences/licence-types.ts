import type { LicenceType } from '@lectern/contract/licences/licences.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'

export const useLicenceTypes = (organizationId: string) => useQuery(q('listLicenceTypes', { params: { organizationId } }))

/** The name of a type; '' until the types are known. */
export const getTypeName = (types: readonly LicenceType[] | undefined, id: number): string =>
  types?.find(({ licenseId }) => licenseId === id)?.name ?? ''

import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { ActiveOrganizationContext } from '../../../lib/active-organization.ts'
import { q } from '../../../lib/api/query.ts'

export interface KnownOrganization {
  id: string
  /** Its id until it has a name. */
  name: string
}

/** Null for users without an organization. */
export function useKnownOrganization(): KnownOrganization | null {
  const id = useContext(ActiveOrganizationContext)
  const { data } = useQuery({ ...q('getOrganization', { params: { organizationId: id ?? '' } }), enabled: id !== null })
  return id === null ? null : { id, name: data?.name || id }
}

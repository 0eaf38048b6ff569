import { createContext, useContext } from 'react'

const Context = createContext<string | null>(null)

export const ActiveOrganizationContext = Context

/**
 * The id of the active organization: the first in the person's list (spec §3). Every screen has one, except those whose route has
 * `withoutOrganization`.
 */
export function useOrganization(): string {
  const id = useContext(Context)
  if (id === null) throw new Error('useOrganization was used where no organization is active')
  return id
}

import { createContext, useContext } from 'react'

const Context = createContext<string | null>(null)

export const ActiveOrganizationContext = Context

/** The id of the active organization: the first of the person's list (spec §3). Every screen has one, but those whose route says `withoutOrganization`. */
export function useOrganization(): string {
  const id = useContext(Context)
  if (id === null) throw new Error('useOrganization was used where no organization is active')
  return id
}

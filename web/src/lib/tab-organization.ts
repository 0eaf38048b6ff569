import { createContext, useContext, useMemo } from 'react'
import { type KnownMember, readKnownMember } from './known-member.ts'
import { useSession } from './session.ts'

/** The organization that this tab is about, whatever other tabs show (PPL-02). */
export interface TabOrganization {
  /** Undefined until the server has named one. */
  id: string | undefined
  /** Lets the tab show the organization that the server prefers, read anew. */
  release(): void
}

const Context = createContext<TabOrganization | null>(null)

export const TabOrganizationContext = Context

export function useTabOrganization(): TabOrganization {
  const tab = useContext(Context)
  if (!tab) throw new Error('useTabOrganization was used outside its provider')
  return tab
}

/** Undefined where this browser last saw the person in another organization than the tab's. */
export function useKnownMember(): KnownMember | undefined {
  const { id } = useTabOrganization()
  const userId = useSession().user?.id
  return useMemo(() => {
    const known = readKnownMember(userId)
    return known?.organizationId[0] === id ? known : undefined
  }, [id, userId])
}

/** The parameter of a link to another organization than the tab's. */
export const organizationParameter = 'organization'

const key = 'organization'

/** What the tab showed before a reload; else the person's only organization when they were here last. */
export function readTabOrganization(userId: string): string | undefined {
  try {
    const stored = sessionStorage.getItem(key)
    if (stored?.startsWith(`${userId} `)) return stored.slice(userId.length + 1)
  } catch {
    // Where storage is forbidden, a reload starts like a new tab.
  }
  const { organizationId = [] } = readKnownMember(userId) ?? {}
  return organizationId.length === 1 ? organizationId[0] : undefined
}

export function storeTabOrganization(userId: string, organizationId: string): void {
  try {
    sessionStorage.setItem(key, `${userId} ${organizationId}`)
  } catch {
    // As above.
  }
}

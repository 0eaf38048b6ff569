import { createContext, useContext, useMemo } from 'react'
import { type KnownMember, readKnownMember } from './known-member.ts'
import { useSession } from './session.ts'

/** Which of the person's organizations this tab is about, whatever other tabs are about (PPL-02). */
export interface TabOrganization {
  /** Undefined until the server has named one. */
  id: string | undefined
  /** The tab shows what the server prefers, read anew. */
  release(): void
}

const Context = createContext<TabOrganization | null>(null)

export const TabOrganizationContext = Context

export function useTabOrganization(): TabOrganization {
  const tab = useContext(Context)
  if (!tab) throw new Error('useTabOrganization was used outside its provider')
  return tab
}

/** Undefined where this browser saw the person in another organization than that of the tab. */
export function useKnownMember(): KnownMember | undefined {
  const { id } = useTabOrganization()
  const userId = useSession().user?.id
  return useMemo(() => {
    const known = readKnownMember(userId)
    return known?.organizationId[0] === id ? known : undefined
  }, [id, userId])
}

/** The parameter of a link to another organization than that of the tab. */
export const organizationParameter = 'organization'

const key = 'organization'

/** What the tab showed before it was loaded anew, else the only organization that the person had when they were here last. */
export function readTabOrganization(userId: string): string | undefined {
  try {
    const stored = sessionStorage.getItem(key)
    if (stored?.startsWith(`${userId} `)) return stored.slice(userId.length + 1)
  } catch {
    // Where storage is forbidden a tab that is loaded anew is a new one.
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

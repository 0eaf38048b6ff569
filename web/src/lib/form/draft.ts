import { use, useEffect, useRef, useState } from 'react'
import { SessionContext } from '../session.ts'
import { draftPrefix, removeDrafts } from '../stored-text.ts'
import { TabOrganizationContext } from '../tab-organization.ts'

interface Stored<Values> {
  values: Partial<Values>
  // The record that an edit was based on.
  basis?: unknown
  // Whether a file or a secret was entered too, which is not kept.
  isPartial: boolean
}

export interface Draft<Values> {
  // What was stored when the form was opened.
  stored: Stored<Values> | undefined
  /**
   * Undefined: nothing is entered.
   * @returns whether it could be stored
   */
  store: (entered: Stored<Values> | undefined) => boolean
  remove: () => void
}

interface DraftOptions {
  name: string
  // Kept also when the user leaves the form.
  isKept: boolean
}

/**
 * What the signed-in user has entered in the form `name` of an organization. It outlasts a reload and the end of the session, and is
 * removed when the user leaves the form. Without a session nothing is kept.
 */
export function useDraft<Values extends object>({ name, isKept }: DraftOptions): Draft<Values> {
  const session = use(SessionContext)
  // A form may be opened before the organization is known.
  const organization = useRef<string>(undefined)
  organization.current = use(TabOrganizationContext)?.id
  const getUser = session?.getUser
  const [draft] = useState(() => openDraft<Values>(session?.user?.id, () => organization.current, name))
  useEffect(() => {
    if (isKept || !getUser) return
    return () => {
      // After the end of a session the user comes back to it, so it stays then.
      if (getUser()) draft.remove()
    }
  }, [draft, isKept, getUser])
  return draft
}

function openDraft<Values extends object>(
  userId: string | undefined,
  getOrganization: () => string | undefined,
  name: string,
): Draft<Values> {
  if (userId === undefined) return { stored: undefined, store: () => true, remove: () => undefined }
  const own = `${draftPrefix}${encodeURIComponent(userId)}/`
  const makeKey = () => `${own}${getOrganization() ?? ''}/${name}`
  const remove = () => removeDrafts((each) => each === makeKey())
  removeDrafts((each) => !each.startsWith(own))
  return {
    stored: read(makeKey()),
    store(entered) {
      try {
        if (entered) sessionStorage.setItem(makeKey(), JSON.stringify(entered))
        else remove()
        return true
      } catch {
        // The stored draft is older than what is entered now.
        remove()
        return false
      }
    },
    remove,
  }
}

function read<Values>(key: string): Stored<Values> | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

import { useMemo } from 'react'
import { useSession } from '../session.ts'

/** What somebody has typed and not saved, kept for a reload of this tab; nobody else who signs in there gets it. */
export interface Draft<Values> {
  kept: Partial<Values>
  keep: (values: Partial<Values>) => void
  drop: () => void
}

/** The draft of a form, by the form's name. Where the browser forbids storage nothing is kept. */
export function useDraft<Values extends object>(name: string): Draft<Values> {
  const { user } = useSession()
  const key = `draft/${user?.id}/${name}`
  return useMemo(
    () => ({
      kept: attempt(() => JSON.parse(sessionStorage.getItem(key) ?? '{}')) ?? {},
      keep: (values) => attempt(() => sessionStorage.setItem(key, JSON.stringify(values))),
      drop: () => attempt(() => sessionStorage.removeItem(key)),
    }),
    [key],
  )
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

import { useContext, useMemo } from 'react'
import { SessionContext } from '../session.ts'

interface Draft<Values> {
  stored: Partial<Values>
  store: (values: Partial<Values>) => void
  remove: () => void
}

const none: Draft<object> = { stored: {}, store: () => undefined, remove: () => undefined }

/** The draft of the signed-in user under `name`, which outlasts a reload of the tab; none without a name, a session or storage. */
export function useDraft<Values extends object>(name: string | undefined): Draft<Values> {
  const user = useContext(SessionContext)?.user
  const key = name === undefined || !user ? undefined : `draft/${user.id}/${name}`
  return useMemo(
    () =>
      key === undefined
        ? (none as Draft<Values>)
        : {
            stored: attempt(() => JSON.parse(sessionStorage.getItem(key) ?? '{}')) ?? {},
            store: (values) => attempt(() => sessionStorage.setItem(key, JSON.stringify(values))),
            remove: () => attempt(() => sessionStorage.removeItem(key)),
          },
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

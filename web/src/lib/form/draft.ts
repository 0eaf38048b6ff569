import { useMemo } from 'react'
import { useSession } from '../session.ts'

interface Draft<Values> {
  stored: Partial<Values>
  store: (values: Partial<Values>) => void
  remove: () => void
}

const none: Draft<object> = { stored: {}, store: () => undefined, remove: () => undefined }

/** The draft of the signed-in user under `name`, none without a name or storage. It outlasts a reload of the tab. */
export function useDraft<Values extends object>(name: string | undefined): Draft<Values> {
  const { user } = useSession()
  const key = name === undefined ? undefined : `draft/${user?.id}/${name}`
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

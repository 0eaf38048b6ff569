import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { Confirm } from './confirm.tsx'
import { useDialog } from './dialog.tsx'

/**
 * Asks before a form with unsaved changes is left: inside the app by a dialog, outside it by the browser's own question.
 * @returns a function that lets the next navigation pass
 */
export function useUnsavedChanges(isDirty: boolean): () => void {
  const passes = useRef(false)
  const asking = useRef(false)
  const { open } = useDialog()
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty && !passes.current && `${from.pathname}${from.search}` !== `${to.pathname}${to.search}`,
  )

  useEffect(() => {
    if (blocker.state !== 'blocked' || asking.current) return
    asking.current = true
    const ask = async () => {
      const leaves = await open<boolean>((close) => (
        <Confirm title="Leave without saving?" yes="Leave" back="Stay" destructive close={close}>
          What you have changed here is not saved and will be lost.
        </Confirm>
      ))
      asking.current = false
      if (leaves) blocker.proceed()
      else blocker.reset()
    }
    void ask()
  }, [blocker, open])

  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!passes.current) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])

  return () => {
    passes.current = true
  }
}

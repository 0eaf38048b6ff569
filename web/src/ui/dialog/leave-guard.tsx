import { type RefObject, useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { Confirm } from './confirm.tsx'
import { useDialog } from './dialog.tsx'

interface LeaveGuard {
  isActive: boolean
  title: string
  question: string
  onLeave?: () => Promise<void>
  query?: boolean
  passes?: RefObject<boolean>
}

/**
 * Asks before unsaved work is left: by a dialog in the app, else by the browser.
 * @returns a function that lets the next navigation pass
 */
export function useLeaveGuard({ isActive, title, question, onLeave, query = false, passes: given }: LeaveGuard): () => void {
  const own = useRef(false)
  const passes = given ?? own
  const asking = useRef(false)
  const { open } = useDialog()
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isActive && !passes.current && (from.pathname !== to.pathname || (query && from.search !== to.search)),
  )

  useEffect(() => {
    if (blocker.state !== 'blocked' || asking.current) return
    asking.current = true
    const ask = async () => {
      const leaves = await open<boolean>((close) => (
        <Confirm title={title} yes="Leave" back="Stay" destructive close={close}>
          {question}
        </Confirm>
      ))
      asking.current = false
      if (!leaves) return blocker.reset()
      await onLeave?.()
      blocker.proceed()
    }
    void ask()
  }, [blocker, open, title, question, onLeave])

  useEffect(() => {
    if (!isActive) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!passes.current) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isActive, passes])

  return () => {
    passes.current = true
  }
}

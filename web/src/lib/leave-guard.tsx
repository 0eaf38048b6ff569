import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { Confirm } from '../ui/confirm.tsx'
import { useDialog } from '../ui/dialog.tsx'

type LeaveGuard = {
  isActive: boolean
  /** E.g. "Leave without saving?". */
  title: string
  /** What becomes of the work. */
  question: string
  onLeave?: () => Promise<void>
}

/**
 * Asks before unsaved work is left behind, inside the app by a dialog, outside it by the browser's own question.
 * @returns a function that lets the next navigation pass
 */
export function useLeaveGuard({ isActive, title, question, onLeave }: LeaveGuard): () => void {
  const passes = useRef(false)
  const asking = useRef(false)
  const { open } = useDialog()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isActive && !passes.current && currentLocation.pathname !== nextLocation.pathname,
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
  }, [isActive])

  return () => {
    passes.current = true
  }
}

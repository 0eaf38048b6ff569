import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useToast } from '../feedback/toast.tsx'
import { Confirm } from './confirm.tsx'
import { type Close, useDialogContext } from './dialog.tsx'

interface Deletion {
  /** What it is, capitalized: "Reader". */
  resource: string
  /** Which one. */
  label: string
  /** In the title in place of `label`, e.g. "the ad “Spring”". */
  title?: string
  /** What becomes of it, in sentences. */
  consequence: ReactNode
  /** The button's word, where the specification says another one. */
  yes?: string
  delete: () => Promise<unknown>
}

/** The one way to ask before something is deleted: resolves with true once it is gone. */
export function useConfirmDelete(): (deletion: Deletion) => Promise<boolean> {
  const { open } = useDialogContext()
  const toast = useToast()
  return async ({ delete: remove, ...deletion }) => {
    async function run() {
      await remove()
      toast({ title: `${deletion.resource} deleted`, detail: deletion.label })
    }
    const isDeleted = await open((close) => <Question {...deletion} close={close} onYes={run} />).answer
    return isDeleted === true
  }
}

interface QuestionProps extends Omit<Deletion, 'delete'> {
  close: Close<boolean>
  onYes: () => Promise<void>
}

/** Stays when the row that opened it is gone, so that the reason of a failure can be read. Another page closes it. */
function Question({ label, title = label, consequence, yes = 'Delete', close, onYes }: QuestionProps) {
  const { pathname } = useLocation()
  const openedAt = useRef(pathname)
  useEffect(() => {
    if (pathname !== openedAt.current) close()
  }, [pathname, close])
  return (
    <Confirm title={`Delete ${title}`} yes={yes} destructive busyLabel="Deleting" close={close} onYes={onYes}>
      {consequence}
    </Confirm>
  )
}

import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useToast } from '../feedback/toast.tsx'
import { Confirm } from './confirm.tsx'
import { type Close, useDialogContext } from './dialog.tsx'

interface Deletion {
  resource: string
  label: string
  /** The title's words in place of `label`, such as "the ad “Spring”". */
  title?: string
  consequence: ReactNode
  yes?: string
  /** Words where it is no deletion. */
  words?: { title: string; busy: string; done: string }
  delete: () => Promise<unknown>
}

/**
 * Asks before a deletion.
 * @returns a function that resolves with whether it was deleted
 */
export function useConfirmDelete(): (deletion: Deletion) => Promise<boolean> {
  const { open } = useDialogContext()
  const toast = useToast()
  return async ({ delete: remove, ...deletion }) => {
    const { words = deleting } = deletion
    async function run() {
      await remove()
      toast({ title: `${deletion.resource} ${words.done}`, detail: deletion.label })
    }
    const isDeleted = await open((close) => <Question {...deletion} close={close} onYes={run} />).result
    return isDeleted === true
  }
}

const deleting = { title: 'Delete', busy: 'Deleting', done: 'deleted' }

interface QuestionProps extends Omit<Deletion, 'delete'> {
  close: Close<boolean>
  onYes: () => Promise<void>
}

// Stays open when the row that opened it is removed, so that a failure can be read. Closes on another page.
function Question({ label, title = label, consequence, words = deleting, yes = words.title, close, onYes }: QuestionProps) {
  const { pathname } = useLocation()
  const openedAt = useRef(pathname)
  useEffect(() => {
    if (pathname !== openedAt.current) close()
  }, [pathname, close])
  return (
    <Confirm title={`${words.title} ${title}`} yes={yes} destructive busyLabel={words.busy} close={close} onYes={onYes}>
      {consequence}
    </Confirm>
  )
}

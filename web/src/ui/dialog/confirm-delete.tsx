import type { ReactNode } from 'react'
import { useToast } from '../feedback/toast.tsx'
import { Confirm } from './confirm.tsx'
import { useDialog } from './dialog.tsx'

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
  const { open } = useDialog()
  const toast = useToast()
  return async ({ resource, label, title = label, consequence, yes = 'Delete', delete: remove }) => {
    async function run() {
      await remove()
      toast({ title: `${resource} deleted`, detail: label })
    }
    const isDeleted = await open<boolean>((close) => (
      <Confirm title={`Delete ${title}`} yes={yes} destructive busyLabel="Deleting" close={close} onYes={run}>
        {consequence}
      </Confirm>
    ))
    return isDeleted ?? false
  }
}

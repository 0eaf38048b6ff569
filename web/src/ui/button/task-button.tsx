import { type ComponentProps, useState } from 'react'
import { useToast } from '../feedback/toast.tsx'
import { Button } from './button.tsx'

type TaskButtonProps = Omit<ComponentProps<typeof Button>, 'busy' | 'onClick'> & {
  /** What a press starts. */
  task: () => Promise<void>
  /** What is said when it fails, above the error's own message. */
  failure: string
}

/** A button whose press takes a while: busy until that is done, and a failure is said. */
export function TaskButton({ task, failure, ...button }: TaskButtonProps) {
  const toast = useToast()
  const [busy, setBusy] = useState(false)

  async function run() {
    setBusy(true)
    try {
      await task()
    } catch (error) {
      toast({ title: failure, detail: (error as Error).message, bad: true })
    } finally {
      setBusy(false)
    }
  }

  return <Button {...button} busy={busy} onClick={run} />
}

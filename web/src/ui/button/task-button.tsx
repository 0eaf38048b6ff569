import { type ComponentProps, useState } from 'react'
import { useToast } from '../feedback/toast.tsx'
import { Button } from './button.tsx'

type Task = () => Promise<void>

interface TaskButtonProps extends Omit<ComponentProps<typeof Button>, 'busy' | 'onClick'> {
  task: Task
  failure: string
}

/** `failure` is the title of the toast where the task fails. */
export function useTask(failure: string): { busy: boolean; run: (task: Task) => Promise<void> } {
  const toast = useToast()
  const [busy, setBusy] = useState(false)

  async function run(task: Task) {
    setBusy(true)
    try {
      await task()
    } catch (error) {
      toast({ title: failure, detail: (error as Error).message, bad: true })
    } finally {
      setBusy(false)
    }
  }

  return { busy, run }
}

export function TaskButton({ task, failure, ...button }: TaskButtonProps) {
  const { busy, run } = useTask(failure)
  return <Button {...button} busy={busy} onClick={() => run(task)} />
}

import { type ComponentProps, useState } from 'react'
import { useToast } from '../feedback/toast.tsx'
import { Button } from './button.tsx'

interface TaskButtonProps extends Omit<ComponentProps<typeof Button>, 'busy' | 'onClick'> {
  task: () => Promise<void>
  failure: string
}

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

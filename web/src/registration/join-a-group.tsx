import { Button } from '../ui/button/button.tsx'
import { Step } from './step.tsx'
import { useTasks } from './tasks.ts'

/** Text only (spec §2): a colleague's invitation link is what leads on. Somebody who has opened it in another tab can look again. */
export function JoinAGroup() {
  const { refetch, isFetching } = useTasks()
  return (
    <Step
      task="JoinAGroup"
      intro="Your company is registered with Lectern already."
      action={
        <Button busy={isFetching} busyLabel="Checking" onClick={() => void refetch()}>
          Check again
        </Button>
      }
    >
      <div className="grid max-w-prose gap-3">
        <p>
          Ask a colleague who uses Lectern for an <b className="font-semibold">invitation link</b> and open it here, signed in as you are
          now.
        </p>
        <p className="text-ink-2">
          A member finds the link under Products, Members, with the button Copy invitation link. It is good for seven days.
        </p>
      </div>
    </Step>
  )
}

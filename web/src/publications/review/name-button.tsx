import { Button } from '../../ui/button/button.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { isPartlySent, type WizardState } from '../wizard-state.ts'

interface NameButtonProps {
  state: WizardState
  blocked: string | undefined
  /** '' removes the name. */
  onName: (name: string) => void
}

/** Lets the publisher name the rollout; Review then shows the name. */
export function NameButton({ state, blocked, onName }: NameButtonProps) {
  const dialog = useDialog()
  const ask = () =>
    dialog.open<void>(async (close) => {
      const { NameDialog } = await import('../../rollouts/name-dialog.tsx')
      return <NameDialog id="new" name={state.rolloutName} onName={async ({ name }) => onName(name?.trim() ?? '')} close={close} />
    })
  return (
    <Button
      disabledReason={blocked ?? (isPartlySent(state) ? 'Some of it was sent. The rollout can be named on its page.' : undefined)}
      onClick={ask}
    >
      {state.rolloutName ? 'Rename…' : 'Name it…'}
    </Button>
  )
}

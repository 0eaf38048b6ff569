import './script-findings.css'
import type { ScriptCheck } from '@lectern/contract/publications/script/script-check.ts'
import { Button } from '../../ui/button/button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Status } from '../../ui/feedback/status.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import type { FileConfig } from '../content/choices.ts'
import { type CheckState, findCheck } from './use-script-check.ts'

const words = {
  ready: ['ok', 'Ready'],
  warning: ['warn', 'Has warnings'],
  accepted: ['warn', 'Warnings accepted'],
  refused: ['bad', 'Cannot work'],
} as const

export function ScriptStatus({ state, verdict }: { state: CheckState; verdict: FileConfig['verdict'] }) {
  if (state.status === 'failed') return <Status kind="unknown" spoken="" children="Not checked" />
  if (!findCheck(state) || verdict === undefined) return <Status kind="run" spoken="" children="Checking" />
  const [kind, text] = words[verdict]
  return <Status kind={kind} spoken="" children={text} />
}

interface ScriptFindingsProps {
  check: ScriptCheck
  isAccepted: boolean
  onAccept: (isAccepted: boolean) => void
}

export function ScriptFindings({ check, isAccepted, onAccept }: ScriptFindingsProps) {
  if (check.refusal !== null) return <Notice kind="bad">{check.refusal}</Notice>
  if (check.warnings.length === 0) return null
  return (
    <fieldset className="script-warnings">
      <legend className="sr-only">Warnings</legend>
      {check.warnings.map((warning) => (
        <Notice key={warning} kind="warn">
          {warning}
        </Notice>
      ))}
      <Checkbox checked={isAccepted} onChange={(event) => onAccept(event.target.checked)}>
        Publish it as it is
      </Checkbox>
    </fieldset>
  )
}

export const NotChecked = ({ onRetry }: { onRetry: () => void }) => (
  <Notice kind="bad">
    The script could not be checked: what checks it was not loaded.{' '}
    <Button variant="link" onClick={onRetry}>
      Check again
    </Button>
  </Notice>
)

import './script-bench.css'
import { handlerNames, sampledHandler } from '@lectern/contract/publications/script/handlers.ts'
import { defaultSamples, maxSampleLength, maxSamples } from '@lectern/contract/publications/script/samples.ts'
import { type SampleResult, type ScriptCheck, scanSteps } from '@lectern/contract/publications/script/script-check.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { withControls, withVisibleControls } from '@lectern/contract/text/visible-controls.ts'
import { Plus, RotateCcw, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { IconButton } from '../../ui/button/icon-button.tsx'
import { Status } from '../../ui/feedback/status.tsx'
import { Input } from '../../ui/input/input.tsx'

interface ScriptBenchProps {
  samples: readonly string[]
  /** The check of these samples, or of those before the last change. */
  check: ScriptCheck | undefined
  onChange: (samples: readonly string[]) => void
}

/** Shows what the script does with each sample. */
export function ScriptBench({ samples, check, onChange }: ScriptBenchProps) {
  const list = useRef<HTMLOListElement>(null)
  // Focuses the row that takes the removed one's place, or the last row.
  const focus = (index: number) =>
    requestAnimationFrame(() => {
      const rows = list.current?.querySelectorAll('input') ?? []
      rows[Math.min(index, rows.length - 1)]?.focus()
    })

  function add() {
    onChange([...samples, ''])
    focus(samples.length)
  }

  function remove(index: number) {
    onChange(samples.toSpliced(index, 1))
    focus(index)
  }

  return (
    <section className="script-bench" aria-label="Sample scans">
      <p className="field-hint">
        Each scan is given to {sampledHandler}, in this order. A control character is shown as a symbol: ␝ is the group separator of GS1.
        The scans stay in this browser tab. What readers give to {new Intl.ListFormat('en').format(handlerNames.slice(1))} is not tried.
      </p>
      <ol className="script-samples" ref={list}>
        {samples.map((sample, index) => (
          <li key={index} className="script-sample">
            <Input
              className="mono"
              aria-label={`Sample scan ${index + 1}`}
              value={withVisibleControls(sample)}
              maxLength={maxSampleLength}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => onChange(samples.with(index, withControls(event.target.value)))}
            />
            <SampleOutput sample={sample} result={check?.results[index]} isTried={check !== undefined} />
            {samples.length > 1 && <IconButton icon={X} label={`Remove sample scan ${index + 1}`} onClick={() => remove(index)} />}
          </li>
        ))}
      </ol>
      <div className="script-bench-actions">
        <Button
          small
          icon={Plus}
          disabledReason={samples.length >= maxSamples ? `There are ${maxSamples} already.` : undefined}
          onClick={add}
        >
          Add a scan
        </Button>
        <Button small variant="ghost" icon={RotateCcw} onClick={() => onChange(defaultSamples)}>
          Restore the samples
        </Button>
      </div>
    </section>
  )
}

interface SampleOutputProps {
  sample: string
  result: SampleResult | undefined
  isTried: boolean
}

function SampleOutput({ sample, result, isTried }: SampleOutputProps) {
  if (!result || result.input !== sample) return <p className="script-sample-output field-hint">{isTried ? 'Not tried' : 'Checking'}</p>
  const { output, problem, steps } = result
  return (
    <p className="script-sample-output">
      {output === null ? (
        <Status kind="bad" spoken="">
          {problem}
        </Status>
      ) : (
        <span className="mono">{output === '' ? 'Empty' : withVisibleControls(output)}</span>
      )}
      <span className="field-hint">
        {output === sample && 'Unchanged. '}
        {formatNumber(steps)} steps, {formatShare(steps)} of the limit
      </span>
    </p>
  )
}

function formatShare(steps: number): string {
  const percent = (100 * steps) / scanSteps
  return percent < 1 ? 'under 1 %' : percent > 100 ? 'over 100 %' : `${Math.round(percent)} %`
}

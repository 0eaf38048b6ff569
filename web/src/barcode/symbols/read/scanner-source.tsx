import { counted } from '@lectern/contract/text/numbers.ts'
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../ui/button/button.tsx'
import { Status } from '../../../ui/feedback/status.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Textarea } from '../../../ui/input/textarea.tsx'
import { parseCommandText, visible } from '../configuration-text.ts'
import { nothing, type SourceProps, toParts } from './source.ts'

/** The keys that a scanner presses with Ctrl for the control characters of a configuration barcode. */
const controls: Record<string, string> = { a: '\x01', b: '\x02', c: '\x03', d: '\x04', ']': '\x1d' }
const endMark = visible('\x04')

export function ScannerSource({ onFound }: SourceProps) {
  const [text, setText] = useState('')
  const [isLeft, setLeft] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  // A long text is read when the keys pause.
  const settled = useDeferredValue(text)
  const outcome = useMemo(() => parseCommandText(settled), [settled])
  const isComplete = text.trimEnd().endsWith(endMark)
  const isRefused = outcome !== null && 'problem' in outcome && (isLeft || isComplete)
  const count = outcome && 'parts' in outcome ? outcome.parts.length : 0
  useEffect(() => box.current?.focus(), [])

  function take(next: string) {
    setText(next)
    setLeft(false)
  }

  useEffect(() => {
    onFound(outcome && 'parts' in outcome ? { ...nothing, parts: toParts('Scanned', outcome.parts) } : nothing)
  }, [outcome, onFound])

  function typeControl(event: KeyboardEvent<HTMLTextAreaElement>) {
    const control = event.ctrlKey && !event.altKey && !event.metaKey ? controls[event.key.toLowerCase()] : undefined
    if (!control) return
    event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget
    event.currentTarget.setRangeText(visible(control), selectionStart, selectionEnd, 'end')
    take(event.currentTarget.value)
  }

  return (
    <div className="grid gap-3">
      <ScanStatus isRefused={isRefused} count={count} isEmpty={text === ''} />
      <Field
        label="What the scanner types"
        error={isRefused ? outcome.problem : undefined}
        hint="Put the cursor here and scan, several barcodes in their order. Use a scanner that types what it reads: a reader of the same make would take the configuration for itself. Ctrl with A, B, C, D and ] types control characters here."
      >
        <Textarea
          mono
          ref={box}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onKeyDown={typeControl}
          onChange={(event) => take(event.target.value)}
          onBlur={() => setLeft(true)}
        />
      </Field>
      <Button
        className="justify-self-start"
        disabledReason={text === '' ? 'Nothing is typed yet.' : undefined}
        onClick={() => {
          take('')
          box.current?.focus()
        }}
      >
        Clear
      </Button>
    </div>
  )
}

function ScanStatus({ isRefused, count, isEmpty }: { isRefused: boolean; count: number; isEmpty: boolean }) {
  const [kind, text] =
    count > 0
      ? (['ok', `${counted(count, 'barcode')} read`] as const)
      : isEmpty
        ? (['wait', 'Waiting for the scanner'] as const)
        : (['run', 'Receiving'] as const)
  return (
    <span role="status">
      {isRefused ? (
        <Status kind="bad" spoken="" children="Not understood" />
      ) : (
        <Status kind={kind} spoken="">
          {text}
        </Status>
      )}
    </span>
  )
}

import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { Textarea } from '../../../ui/input/textarea.tsx'
import { parseCommandText } from '../configuration-text.ts'
import { nothing, type SourceProps, toParts } from './source.ts'

export function TextSource({ onFound }: SourceProps) {
  const [text, setText] = useState('')
  const [isLeft, setLeft] = useState(false)
  // A long text is read when the keys pause.
  const settled = useDeferredValue(text)
  const outcome = useMemo(() => parseCommandText(settled), [settled])
  const problem = isLeft && outcome && 'problem' in outcome ? outcome.problem : undefined

  function take(next: string, isWhole: boolean) {
    setText(next)
    setLeft(isWhole)
  }

  useEffect(() => {
    onFound(outcome && 'parts' in outcome ? { ...nothing, parts: toParts('Text', outcome.parts) } : nothing)
  }, [outcome, onFound])

  return (
    <Field
      label="Commands"
      error={problem}
      hint="One per line, or separated by spaces or semicolons. The content of a barcode, a list in JSON or the address of a configuration also works."
    >
      <Textarea
        mono
        rows={12}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => take(event.target.value, (event.nativeEvent as InputEvent).inputType === 'insertFromPaste')}
        onBlur={() => setLeft(true)}
      />
    </Field>
  )
}

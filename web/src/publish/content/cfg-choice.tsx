import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { cfgProblem, closingTag } from '@lectern/contract/publications/cfg.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { ClipboardPaste } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { Textarea } from '../../ui/input/textarea.tsx'
import { CaptureLine } from './capture-line.tsx'
import { capturedText, captureState, holdsPointer } from './cfg-capture.ts'
import { useOpeningKey } from './opening-key.ts'
import { canHoldPointer, usePointerHold } from './pointer-hold.ts'
import { ScanCode } from './scan-code.tsx'

type CfgChoiceProps = { device: UpdateModel; text: string; onChange: (text: string) => void }

/** The barcode that makes a golden-standard reader send its configuration, and the box that takes what it sends (spec §2, §4). */
export function CfgChoice({ device, text, onChange }: CfgChoiceProps) {
  return (
    <div className="cfg-choice">
      <section>
        <h2 className="numbered-heading">
          <span>1</span>Scan this with the golden-standard reader
        </h2>
        <ScanCode device={device} />
      </section>
      <section>
        <h2 className="numbered-heading">
          <span>2</span>Receive the configuration
        </h2>
        <Capture device={device} text={text} onChange={onChange} />
      </section>
    </div>
  )
}

function Capture({ device, text, onChange }: CfgChoiceProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const { isActive, isHeld, hold, release } = usePointerHold(box)
  const [pasteProblem, setPasteProblem] = useState<string | null>(null)
  const id = useId()

  function take(typed: string) {
    const next = capturedText(typed)
    setPasteProblem(null)
    if (holdsPointer(text, next)) hold()
    else release()
    onChange(next)
  }

  function clear() {
    release()
    setPasteProblem(null)
    onChange('')
    box.current?.focus()
  }

  async function paste() {
    try {
      const pasted = await navigator.clipboard.readText()
      setPasteProblem(pasted.trim() === '' ? 'There is no text in the clipboard.' : null)
      if (pasted.trim() !== '') onChange(capturedText(pasted))
    } catch {
      setPasteProblem('The browser does not let this page read the clipboard. Click into the box and paste with the keyboard instead.')
    }
    box.current?.focus()
  }

  useOpeningKey(clear)

  const state = captureState(text, isActive)
  const problem = pasteProblem ?? (state === 'paused' || state === 'complete' ? unusable(text) : null)

  return (
    <>
      <CaptureLine state={state} isHeld={isHeld} />
      <Textarea
        mono
        ref={box}
        rows={8}
        value={text}
        onChange={(event) => take(event.target.value)}
        aria-label={`${device} configuration text`}
        aria-describedby={`${id}-count ${id}-hint`}
        aria-invalid={problem !== null && pasteProblem === null ? true : undefined}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
      />
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      <div className="capture-foot">
        <span className="field-hint" id={`${id}-count`}>
          <Count text={text} />
        </span>
        <Button small icon={ClipboardPaste} onClick={paste}>
          Paste
        </Button>
        <Button small variant="ghost" onClick={clear}>
          Clear
        </Button>
      </div>
      <p className="field-hint" id={`${id}-hint`}>
        Press &lt; anywhere on this page to start over.{' '}
        {canHoldPointer() && 'While text arrives, the mouse pointer is held so that nothing disturbs the scan; Esc gives it back.'}
      </p>
    </>
  )
}

/** What is wrong with a text beyond not being closed yet, which the count says. */
function unusable(text: string): string | null {
  const problem = cfgProblem(text)
  const isOnlyOpen = closingTag(text) !== null && problem === cfgProblem(`<${closingTag(text)?.slice(2, -1)}>`)
  return isOnlyOpen ? null : problem
}

function Count({ text }: { text: string }) {
  if (text === '') return 'Nothing received yet.'
  const tag = closingTag(text)
  const size = counted(text.length, 'character')
  if (!tag || cfgProblem(text) === null) return `${size}.`
  return (
    <>
      {size}. Waiting for <span className="mono">{tag}</span>
    </>
  )
}

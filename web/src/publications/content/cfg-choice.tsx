import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { cfgProblem, closingTag, isOnlyOpen } from '@lectern/contract/publications/cfg.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { ClipboardPaste, Undo2 } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Status } from '../../ui/feedback/status.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { Textarea } from '../../ui/input/textarea.tsx'
import { type Burst, type CaptureState, capturedText, continueBurst, findSecondScan, getCaptureState, holdsPointer } from './cfg-capture.ts'
import { canHoldPointer, usePointerHold } from './pointer-hold.ts'
import { canBeScanned } from './scan-barcode.ts'
import { ScanCode } from './scan-code.tsx'

interface CfgChoiceProps {
  device: UpdateModel
  text: string
  onChange: (text: string) => void
}

export function CfgChoice({ device, text, onChange }: CfgChoiceProps) {
  return (
    <div className="cfg-choice">
      <section>
        <h2 className="numbered-heading">
          <span>1</span>
          {canBeScanned(device) ? 'Scan this with the golden-standard reader' : 'Nothing to scan'}
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
  const { state, isHeld, problem, isRefused, isReplaced, take, clear, startOver, undo, paste } = useCapture(box, text, onChange)
  const id = useId()
  useOpeningKey(startOver)
  return (
    <>
      <CaptureLine state={state} isHeld={isHeld} />
      <Textarea
        mono
        ref={box}
        rows={8}
        value={text}
        onChange={(event) => take(event.target.value, event.timeStamp)}
        aria-label={`${device} configuration text`}
        aria-describedby={`${id}-count ${id}-hint`}
        aria-invalid={isRefused || undefined}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
      />
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      {isReplaced && (
        <p className="capture-replaced" role="status">
          The new scan replaces what was here.{' '}
          <Button small variant="ghost" icon={Undo2} onClick={undo}>
            Undo
          </Button>
        </p>
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
        {canHoldPointer() && 'While text arrives, the mouse pointer is held so that nothing disturbs the scan; Esc releases it.'}
      </p>
    </>
  )
}

function useCapture(box: RefObject<HTMLTextAreaElement | null>, text: string, onChange: (text: string) => void) {
  const { isActive, isHeld, hold, release } = usePointerHold(box)
  const [pasteProblem, setPasteProblem] = useState<string | null>(null)
  // The text that a new scan has replaced; null where none was replaced, or the user has undone that.
  const [replaced, setReplaced] = useState<string | null>(null)
  const burst = useRef<Burst>({ before: '', at: 0 })
  const state = getCaptureState(text, isActive)
  const textProblem = state === 'paused' || state === 'complete' ? findProblem(text) : null
  const empty = () => {
    release()
    burst.current = { before: '', at: 0 }
    setPasteProblem(null)
    onChange('')
    box.current?.focus()
  }
  return {
    state,
    isHeld,
    problem: pasteProblem ?? textProblem,
    isRefused: pasteProblem === null && textProblem !== null,
    isReplaced: replaced !== null,
    take(typed: string, at: number) {
      let next = capturedText(typed)
      burst.current = continueBurst(burst.current, text, next, at)
      const second = findSecondScan(burst.current, next)
      if (second !== null) {
        setReplaced(burst.current.before)
        burst.current = { before: '', at }
        next = second
      }
      setPasteProblem(null)
      if (holdsPointer(text, next)) hold()
      else release()
      onChange(next)
    },
    clear() {
      empty()
      setReplaced(null)
    },
    /** Empties the box for a scan that begins outside it. */
    startOver() {
      empty()
      setReplaced(text === '' ? null : text)
    },
    undo() {
      burst.current = { before: '', at: 0 }
      if (replaced !== null) onChange(replaced)
      setReplaced(null)
      box.current?.focus()
    },
    async paste() {
      try {
        const pasted = await navigator.clipboard.readText()
        setPasteProblem(pasted.trim() === '' ? 'There is no text in the clipboard.' : null)
        if (pasted.trim() !== '') onChange(capturedText(pasted))
      } catch {
        setPasteProblem('The browser does not let this page read the clipboard. Click into the box and paste with the keyboard instead.')
      }
      box.current?.focus()
    },
  }
}

const captureTexts = {
  waiting: ['wait', 'Waiting for the configuration'],
  receiving: ['run', 'Receiving'],
  paused: ['warn', 'Stopped before the end. Scan again, or paste the whole text'],
  complete: ['ok', 'Complete'],
} as const

function CaptureLine({ state, isHeld }: { state: CaptureState; isHeld: boolean }) {
  const [kind, words] = captureTexts[state]
  return (
    <p className="capture-line" role="status">
      <Status kind={kind} spoken="">
        {state === 'receiving' && isHeld ? 'Receiving. Pointer held until the scan ends' : words}
      </Status>
    </p>
  )
}

/** Says what is wrong with the text; null where nothing is, or where it is only not closed yet, as the count shows that. */
const findProblem = (text: string): string | null => (isOnlyOpen(text) ? null : cfgProblem(text))

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

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button], [type=file])'))

/** Calls back when "<" is pressed, which begins a scan (spec §4). A key in a text field, or while a dialog is open, does not count. */
function useOpeningKey(onOpen: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '<' || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (takesText(event.target) || document.querySelector('[role=dialog]')) return
    // The key is not typed into the box, as the box adds the "<" itself.
    event.preventDefault()
    onOpen()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

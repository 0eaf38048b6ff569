import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import './configuration-format.css'
import { resetCommand } from '@lectern/contract/barcode/commands.ts'
import { findServiceCommand } from '@lectern/contract/barcode/service-commands.ts'
import { X } from 'lucide-react'
import { Button } from '../../ui/button/button.tsx'
import { IconButton } from '../../ui/button/icon-button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { SymbolPreview } from '../symbols/symbol-preview.tsx'
import { capacity, isEmpty, type Outcome } from './choices.ts'
import type { Builder } from './use-choices.ts'

interface ConfigurationFormatProps {
  builder: Builder
  isShown: (optionId: string) => boolean
  onOpen: (optionId: string) => void
}

export function ConfigurationFormat({ builder, isShown, onOpen }: ConfigurationFormatProps) {
  const { choices, outcome, setReset, clear, undoClear } = builder
  return (
    <Panel
      flush
      title="Configuration Format"
      className="builder-format"
      actions={
        undoClear ? (
          <Button small variant="ghost" onClick={undoClear}>
            Undo clear
          </Button>
        ) : (
          <Button small variant="ghost" disabledReason={isEmpty(choices) ? 'Nothing is chosen.' : undefined} onClick={clear}>
            Clear
          </Button>
        )
      }
    >
      <div className="builder-reset">
        <Checkbox checked={choices.reset} onChange={(event) => setReset(event.target.checked)} aria-describedby="builder-reset-hint">
          Reset (CFR) First
        </Checkbox>
        <span className="mono">{resetCommand}</span>
        <span className="option-hint" id="builder-reset-hint">
          Return to factory defaults, then apply
        </span>
      </div>
      <section
        className="builder-scroll"
        aria-label="Selected options"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
      >
        <Warnings outcome={outcome} />
        {outcome.lines.length === 0 && choices.unknown.length === 0 && (
          <p className="builder-nothing">No options yet. What you do not choose stays as it is in the reader.</p>
        )}
        <Lines builder={builder} isShown={isShown} onOpen={onOpen} />
      </section>
      <Room outcome={outcome} />
    </Panel>
  )
}

function Lines({ builder: { choices, outcome, forget }, isShown, onOpen }: ConfigurationFormatProps) {
  return (
    <ol className="format-lines">
      {outcome.lines.map(({ id, label, value, commands }, index) => (
        <li key={id} className={classNames('format-line', isShown(id) && 'format-line-shown')}>
          <span className="format-number mono">{formatIndex(index)}</span>
          <button type="button" onClick={() => onOpen(id)}>
            {label}: {value}
          </button>
          {outcome.problems.has(id) ? (
            <span className="format-problem">Not sent: {outcome.problems.get(id)}</span>
          ) : (
            <Commands of={commands} />
          )}
        </li>
      ))}
      {choices.unknown.map((command, index) => (
        <li key={command} className="format-line">
          <span className="format-number mono">{formatIndex(outcome.lines.length + index)}</span>
          <span>{findServiceCommand(command)?.name ?? 'Not in the catalogue'}</span>
          <Commands of={[command]} />
          <IconButton icon={X} label={`Remove ${command}`} small onClick={() => forget(command)} />
        </li>
      ))}
    </ol>
  )
}

const formatIndex = (index: number): string => String(index + 1).padStart(2, '0')

function Commands({ of }: { of: readonly string[] }) {
  return (
    <span className="format-commands mono">
      {of.map((command) => (
        <span key={command}>{command}</span>
      ))}
    </span>
  )
}

function Warnings({ outcome: { conflicts, inferred } }: { outcome: Outcome }) {
  if (conflicts.length + inferred.length === 0) return null
  return (
    <div className="builder-warnings" role="status">
      {conflicts.map((sentence) => (
        <Notice key={sentence} kind="warn">
          {sentence}
        </Notice>
      ))}
      {inferred.length > 0 && (
        <Notice>
          {inferred.join(', ')}: {inferred.length === 1 ? 'its command is' : 'their commands are'} inferred from others. Try the barcode on
          one reader first.
        </Notice>
      )}
    </div>
  )
}

function Room({ outcome: { bytes, symbols, refusal, commands } }: { outcome: Outcome }) {
  if (commands.length === 0) return null
  if (symbols === 0)
    return (
      <div className="builder-room">
        <Notice kind="bad">{refusal}</Notice>
      </div>
    )
  const room = <meter min={0} max={symbols * capacity} value={bytes} aria-label="Room taken" />
  return (
    <div className="builder-room">
      {symbols === 1 ? (
        <SymbolPreview commands={commands}>
          {room}
          <span>
            {formatNumber(bytes)} of {counted(capacity, 'byte')}
          </span>
        </SymbolPreview>
      ) : (
        <>
          <b>{counted(symbols, 'symbol')}</b>
          {room}
          <span className="option-hint">
            {counted(bytes, 'byte')} do not fit into one symbol. They are printed as {symbols}, to be scanned in order.
          </span>
        </>
      )}
    </div>
  )
}

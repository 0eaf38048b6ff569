import type { NumberOption, SelectionValue, StringOption } from '@lectern/contract/barcode/catalogue.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { controlNames, withControls, withVisibleControls } from '@lectern/contract/text/visible-controls.ts'
import { type KeyboardEvent, useRef } from 'react'
import { FieldError } from '../../ui/form/field.tsx'
import { Input } from '../../ui/input/input.tsx'
import { Select } from '../../ui/input/select.tsx'
import { useTypedText } from '../../ui/input/typed-text.ts'

interface ValueControlProps {
  option: StringOption | NumberOption
  value: SelectionValue | undefined
  problem: string | undefined
  labelledBy: string
  describedBy: string
  onChange: (value: SelectionValue | undefined) => void
}

/** Typed text replaces an earlier value; an empty input leaves the reader's value (spec §4). */
export function ValueControl({ option, value, problem, labelledBy, describedBy, onChange }: ValueControlProps) {
  const isNumber = option.type === 'number'
  const input = useRef<HTMLInputElement>(null)
  const [typed, type] = useTypedText(value === undefined ? '' : withVisibleControls(String(value)), (text) =>
    onChange(isNumber ? parseNumber(text) : withControls(text) || undefined),
  )
  const presets = (option.presets ?? []).map((preset, index) => ({ value: String(index), label: preset.name, preset: preset.value }))
  const disabled = option.evidence === 'unknown'
  const apply = () => type(typed, { now: true })

  function insert(character: string) {
    const { selectionStart, selectionEnd } = input.current ?? {}
    const start = selectionStart ?? typed.length
    type(typed.slice(0, start) + withVisibleControls(character) + typed.slice(selectionEnd ?? start), { now: true })
  }

  return (
    <div className="value-control">
      <Input
        ref={input}
        className={isNumber ? 'value-number' : 'value-text mono'}
        inputMode={isNumber ? 'numeric' : undefined}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        aria-labelledby={labelledBy}
        aria-describedby={`${describedBy} ${labelledBy}-problem`}
        aria-invalid={problem !== undefined || undefined}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onBlur={apply}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply()}
      />
      {isNumber && !disabled && <span className="option-hint">{formatBounds(option)}</span>}
      {presets.length > 0 && (
        <Select
          className="value-presets"
          label={`${option.label}, presets`}
          placeholder="Presets"
          options={presets}
          value={presets.find(({ preset }) => preset === value)?.value}
          onChange={(index) => type(withVisibleControls(String(presets[Number(index)]?.preset)), { now: true })}
        />
      )}
      {!isNumber && !disabled && (
        <Select
          className="value-controls"
          label={`${option.label}, insert a control character`}
          placeholder="Insert"
          options={controlNames.map(({ character, name }) => ({ value: character, label: `${withVisibleControls(character)} ${name}` }))}
          value={undefined}
          onChange={insert}
        />
      )}
      <div id={`${labelledBy}-problem`} className="value-problem">
        {problem && <FieldError>{problem.startsWith('must') ? `The value ${problem}.` : problem}</FieldError>}
      </div>
    </div>
  )
}

/** Returns the number, or the text where it is no number; `valueProblem` explains that. */
function parseNumber(text: string): SelectionValue | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed
}

function formatBounds({ bounds: [min, max], unit }: NumberOption): string {
  const range = max === null ? `${min} or more` : `${min} to ${formatNumber(max)}`
  return [range, unit].filter(Boolean).join(' ')
}

import './option-row.css'
import { type BuilderDevice, type Catalogue, listWays, type Option, type SelectionValue } from '@lectern/contract/barcode/catalogue.ts'
import { evidenceFor } from '@lectern/contract/barcode/catalogue-devices.ts'
import { findDefault, findNeed } from '@lectern/contract/barcode/requirements.ts'
import { commandsFor } from '@lectern/contract/barcode/selection.ts'
import { useId } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { EvidenceWord } from '../symbols/evidence.tsx'
import { OptionControl } from './option-control.tsx'

interface OptionRowProps {
  catalogue: Catalogue
  device: BuilderDevice
  option: Option
  value: SelectionValue | undefined
  problem: string | undefined
  onChange: (value: SelectionValue | undefined) => void
}

export const rowId = (optionId: string): string => `option-${optionId}`

export function OptionRow({ catalogue, device, option, value, problem, onChange }: OptionRowProps) {
  const id = useId()
  const chosen = problem === undefined ? value : undefined
  const commands = chosen === undefined ? [] : commandsFor(option, chosen)
  const isSwitch = option.type === 'boolean'
  return (
    <div
      className={classNames('option', isSwitch && 'option-is-switch', option.evidence === 'unknown' && 'option-unavailable')}
      id={rowId(option.id)}
      tabIndex={-1}
    >
      {!isSwitch && (
        <span className="option-label" id={`${id}-label`}>
          {option.label}
        </span>
      )}
      <OptionControl
        option={option}
        value={value}
        problem={problem}
        labelledBy={`${id}-label`}
        describedBy={`${id}-about`}
        onChange={onChange}
      />
      <span className="option-known">
        <EvidenceWord evidence={evidenceFor(option, device, chosen)} />
      </span>
      <span className="option-command mono">
        {commands[0] ?? <span aria-hidden="true">—</span>}
        {commands.length > 1 && <small> +{commands.length - 1}</small>}
      </span>
      <p className="option-about" id={`${id}-about`}>
        {describeOption(catalogue, device, option, chosen)}
      </p>
    </div>
  )
}

function describeOption(catalogue: Catalogue, device: BuilderDevice, option: Option, value: SelectionValue | undefined): string {
  const way = listWays(option).find((one) => one.value === value)
  const factory = findDefault(option, device)
  const need = findNeed(catalogue, option, value)
  const known = [
    factory && `Factory default: ${factory.name}.`,
    need && `Needs “${need}”.`,
    way?.setting.code && `Setting ${way.setting.code}.`,
  ]
  return [option.help, option.reason, ...known, option.note, way?.setting.note].filter(Boolean).join(' ')
}

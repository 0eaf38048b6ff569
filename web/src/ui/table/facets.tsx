import '../input/radio-group.css'
import './facets.css'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { RadioGroup } from 'radix-ui'

interface FacetsProps<Value extends string> {
  label: string
  choices: readonly { value: Value; label: string; count?: number | undefined }[]
  value: Value
  onChange: (value: Value) => void
}

export function Facets<Value extends string>({ label, choices, value, onChange }: FacetsProps<Value>) {
  return (
    <RadioGroup.Root className="facets" aria-label={label} value={value} onValueChange={(next) => onChange(next as Value)}>
      {choices.map((choice) => (
        <RadioGroup.Item key={choice.value} value={choice.value} className="facet">
          <span className="radio-mark" aria-hidden="true" />
          <span className="facet-label">{choice.label}</span>
          {choice.count !== undefined && <span className="facet-count">{formatNumber(choice.count)}</span>}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

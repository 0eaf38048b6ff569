import { useState } from 'react'
import { Checkbox } from '../input/checkbox.tsx'
import { ChoiceCards, RadioGroup } from '../input/radio-group.tsx'
import { Segment } from '../input/segment.tsx'
import { type TriState, TriStateCheckbox } from '../input/tri-state-checkbox.tsx'
import { Panel } from '../layout/panel.tsx'
import { Facets } from '../table/facets.tsx'

const sizes = [10, 25, 50, 100].map((value) => ({ value, label: String(value) }))

export function ChoiceSection() {
  const [states, setStates] = useState<TriState[]>([true, false, 'indeterminate'])
  const [size, setSize] = useState(10)
  const [volume, setVolume] = useState('low')
  const [kind, setKind] = useState('js')
  const [change, setChange] = useState('all')
  return (
    <Panel title="Choices" className="sheet-4">
      <div className="sheet-stack">
        <div className="sheet-choices">
          {states.map((state, index) => (
            <TriStateCheckbox
              key={index}
              label={`Beeper ${index + 1}`}
              value={state}
              onChange={(next) => setStates(states.with(index, next))}
            />
          ))}
          <Checkbox defaultChecked>CR2700</Checkbox>
          <Checkbox>V1300</Checkbox>
          <Checkbox disabled>Disabled</Checkbox>
        </div>
        <p className="field-hint">Tri-state order: No change, On, Off, No change. The word is always shown beside the box.</p>
        <RadioGroup
          label="Volume"
          options={[
            { value: 'low', label: 'Selected' },
            { value: 'high', label: 'Not selected' },
          ]}
          value={volume}
          onChange={setVolume}
        />
        <div>
          <Segment label="Rows" choices={sizes} value={size} onChange={setSize} />
        </div>
        <ChoiceCards
          label="Configuration type"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'cfg', label: 'CFG', detail: 'Scan the setup out of a reader you trust.' },
            { value: 'js', label: 'CodeRules', detail: 'Upload one .js file.' },
          ]}
        />
        <Facets
          label="Type of change"
          value={change}
          onChange={setChange}
          choices={[
            { value: 'all', label: 'All changes', count: 1_204 },
            { value: 'zone', label: 'Zone created', count: 61 },
            { value: 'other', label: 'Not counted' },
          ]}
        />
      </div>
    </Panel>
  )
}

import { useState } from 'react'
import { Field } from '../form/field.tsx'
import { Input } from '../input/input.tsx'
import { SearchInput } from '../input/search-input.tsx'
import { Select } from '../input/select.tsx'
import { Textarea } from '../input/textarea.tsx'
import { TimeInput } from '../input/time-input.tsx'
import { Panel } from '../layout/panel.tsx'

const zones = ['ED Triage', 'ICU 3 North', 'ICU 3 South'].map((name) => ({ value: name, label: name }))

export function FieldSection() {
  const [time, setTime] = useState('02:00')
  const [zone, setZone] = useState<string>()
  const [chosen, setChosen] = useState('ICU 3 South')
  return (
    <Panel title="Fields" className="sheet-8">
      <div className="sheet-fields">
        <Field label="Company name">
          <Input placeholder="Company name" />
        </Field>
        <Field label="First name" hint="Focus" className="sheet-focus">
          <Input defaultValue="Northfield" />
        </Field>
        <Field label="Work phone" error="Enter a full phone number.">
          <Input defaultValue="+1 503 555" />
        </Field>
        <Field label="Email" hint="You cannot change your email address">
          <Input defaultValue="manager@northfield.example" readOnly />
        </Field>
        <Field label="Update time">
          <TimeInput value={time} onChange={setTime} />
        </Field>
        <Field label="Zone">
          <Select options={zones} value={zone} onChange={setZone} placeholder="Choose a zone" />
        </Field>
        <Field label="Last name" required error="Enter your last name.">
          <Input />
        </Field>
        <Field label="Chosen zone" error="This zone has no host PC online.">
          <Select options={zones} value={chosen} onChange={setChosen} />
        </Field>
        <Field label="Custom validity">
          <Input defaultValue="12" customValidity="Must be more than 20" />
        </Field>
        <Field label="Disabled">
          <Input disabled defaultValue="Not now" />
        </Field>
        <Field label="Scan">
          <Textarea mono rows={3} defaultValue={'<CFG model="CR2700">'} />
        </Field>
        <div className="field">
          <span className="field-label">Search</span>
          <SearchInput label="Search devices" placeholder="device, zone, etc..." />
        </div>
      </div>
    </Panel>
  )
}

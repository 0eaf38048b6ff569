import './schedule-lists.css'
import { type Weekday, weekdays } from '@lectern/contract/schedule/open-times.ts'
import { weekdayNames } from '@lectern/contract/schedule/schedule-words.ts'
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { get, useFieldArray, useFormContext } from 'react-hook-form'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { ControlledField, TimeField } from '../ui/form/choice-fields.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'

interface EntryListProps {
  name: 'windows' | 'blockedDays' | 'phases'
  title: string
  hint: string
  /** Names one entry, such as "window". */
  noun: string
  empty: string
  first: object
  /** Draws the fields of an entry, by its path, such as `windows.0`. */
  children: (entry: string, index: number) => ReactNode
}

export function EntryList({ name, title, hint, noun, empty, first, children }: EntryListProps) {
  const { fields, append, remove } = useFieldArray({ name })
  const { formState } = useFormContext()
  const add = useRef<HTMLButtonElement>(null)
  const problem = get(formState.errors, name) as { message?: string; root?: { message?: string } } | undefined
  const message = problem?.root?.message ?? problem?.message
  return (
    <fieldset className="schedule-list">
      <legend>{title}</legend>
      <p className="field-hint">{hint}</p>
      {fields.length === 0 && <p className="text-ink-2">{empty}</p>}
      {fields.map(({ id }, index) => (
        <fieldset key={id} className="schedule-entry" aria-label={`${noun} ${index + 1}`}>
          <div className="schedule-fields">{children(`${name}.${index}`, index)}</div>
          <IconButton
            bad
            icon={Trash2}
            label={`Remove ${noun} ${index + 1}`}
            onClick={() => {
              remove(index)
              add.current?.focus()
            }}
          />
        </fieldset>
      ))}
      {message && (
        <div role="alert">
          <FieldError>{message}</FieldError>
        </div>
      )}
      <span>
        <Button ref={add} small icon={Plus} onClick={() => append(first)}>
          Add {noun}
        </Button>
      </span>
    </fieldset>
  )
}

export const WindowList = ({ empty }: { empty: string }) => (
  <EntryList
    name="windows"
    title="Maintenance windows"
    hint="Readers begin only within a window. It goes on past midnight where it ends before it begins; the same time twice is 24 hours."
    noun="window"
    empty={empty}
    first={{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '22:00', to: '04:00' }}
  >
    {(entry) => (
      <>
        <Days name={`${entry}.days`} />
        <TimeField name={`${entry}.from`} />
        <TimeField name={`${entry}.to`} />
      </>
    )}
  </EntryList>
)

export const BlockedDayList = () => (
  <EntryList
    name="blockedDays"
    title="Blocked days"
    hint="No reader begins on these days, first and last included."
    noun="blocked days"
    empty="No day is blocked."
    first={{ from: '', to: '', name: '' }}
  >
    {(entry) => (
      <>
        <TextField name={`${entry}.from`} type="date" max="9999-12-31" />
        <TextField name={`${entry}.to`} type="date" max="9999-12-31" />
        <TextField name={`${entry}.name`} />
      </>
    )}
  </EntryList>
)

function Days({ name }: { name: string }) {
  return (
    <ControlledField name={name}>
      {({ value, onChange }) => (
        <span className="schedule-days">
          {weekdays.map((day) => (
            <Checkbox
              key={day}
              checked={(value as Weekday[]).includes(day)}
              onChange={({ target }) =>
                onChange(weekdays.filter((each) => (each === day ? target.checked : (value as Weekday[]).includes(each))))
              }
            >
              {weekdayNames[day]}
            </Checkbox>
          ))}
        </span>
      )}
    </ControlledField>
  )
}

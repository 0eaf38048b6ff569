import type { RoleInput } from '@lectern/contract/people/roles.ts'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { RuleChooser } from '../publications/many/rule-chooser.tsx'
import { useBoundField } from '../ui/form/bound-form.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { RadioGroup } from '../ui/input/radio-group.tsx'

const choices = [
  { value: 'all', label: 'All zones, and the organization as a whole' },
  { value: 'some', label: 'Only the zones that you choose, by name or by tag' },
]

/** The zones and tags that a role is limited to. */
export function ZonesField({ organizationId }: { organizationId: string }) {
  const { field } = useController<RoleInput, 'zones'>({ name: 'zones' })
  // Zones are required where no tag is chosen.
  const { field: tagField } = useController<RoleInput, 'tags'>({ name: 'tags', rules: { deps: ['zones'] } })
  const { label, error } = useBoundField('zones')
  const { error: tagError } = useBoundField('tags')
  const chosen = field.value ?? null
  // Remembers the chosen zones, for a user who chooses all and then some again.
  const [last, setLast] = useState<string[]>(chosen ?? [])
  const choose = ({ zones, tags }: { zones: string[]; tags: string[] }) => {
    setLast(zones)
    field.onChange(zones)
    tagField.onChange(tags)
  }
  const refusal = error ?? tagError
  return (
    <div className="field">
      <span className="field-label" aria-hidden="true">
        {label}
      </span>
      <RadioGroup
        className="radio-group-stacked"
        label={label}
        options={choices}
        value={chosen === null ? 'all' : 'some'}
        onChange={(value) => field.onChange(value === 'all' ? null : last)}
      />
      {chosen && (
        <RuleChooser
          organizationId={organizationId}
          zones={chosen}
          tags={tagField.value ?? []}
          ofTags="The role covers every zone that has one of the chosen tags, also those that get it later."
          onChoose={choose}
        />
      )}
      {refusal && (
        <div role="alert">
          <FieldError>{refusal}</FieldError>
        </div>
      )}
    </div>
  )
}

import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { PartInput } from '@lectern/contract/publications/publish-to-zones.ts'
import type { RollBackCounts } from '@lectern/contract/publications/roll-back.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { Field } from '../ui/form/field.tsx'
import { Select } from '../ui/input/select.tsx'

/** By model and kind: what readers get that cannot get back what they had; absent: they stay as they are. */
export type Instead = Record<string, PartInput>

interface InsteadProps {
  organizationId: string
  parts: readonly RollBackCounts[]
  chosen: Instead
  onChange: (chosen: Instead) => void
}

const stay = 'stay'

export function InsteadFields({ organizationId, parts, chosen, onChange }: InsteadProps) {
  return parts
    .filter(({ unavailable }) => unavailable > 0)
    .map((part) => {
      const key = `${part.model} ${part.kind}`
      const set = (content: PartInput['content'] | null) => {
        const { [key]: _, ...others } = chosen
        onChange(content ? { ...others, [key]: { model: part.model, content } } : others)
      }
      const Choice = part.kind === 'firmware' ? FirmwareChoice : LibraryChoice
      return <Choice key={key} organizationId={organizationId} part={part} content={chosen[key]?.content} onChange={set} />
    })
}

interface ChoiceProps {
  organizationId: string
  part: RollBackCounts
  content: PartInput['content'] | undefined
  onChange: (content: PartInput['content'] | null) => void
}

const describe = ({ unavailable, model }: RollBackCounts): string =>
  `${counted(unavailable, 'reader')} of ${model} that cannot get back what they had`

function FirmwareChoice({ part, content, onChange }: ChoiceProps) {
  const { data = [] } = useQuery(q('listAvailableFirmware', { params: { device: part.model as UpdateModel } }))
  return (
    <Field label={describe(part)}>
      <Select
        value={content?.kind === 'firmware' ? content.version : stay}
        options={[
          { value: stay, label: 'Leave as they are' },
          ...data.map(({ version }) => ({ value: version, label: `Firmware ${version}` })),
        ]}
        onChange={(version) => onChange(version === stay ? null : { kind: 'firmware', version })}
      />
    </Field>
  )
}

function LibraryChoice({ organizationId, part, content, onChange }: ChoiceProps) {
  const { data = [] } = useQuery(q('listLibrary', { params: { organizationId } }))
  const entries = data.filter(({ device }) => device === part.model)
  return (
    <Field label={describe(part)} hint="Entries of the library for this model, in their newest version.">
      <Select
        value={content?.kind === 'saved' ? content.configurationId : stay}
        options={[{ value: stay, label: 'Leave as they are' }, ...entries.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(id) => {
          const entry = entries.find((one) => one.id === id)
          onChange(entry ? { kind: 'saved', configurationId: entry.id, version: entry.version } : null)
        }}
      />
    </Field>
  )
}

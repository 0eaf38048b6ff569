import { gateFields, mostPhases, type Phase, Share, Soak, sharesFit } from '@lectern/contract/publications/phases.ts'
import { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { SelectField, TimeField } from '../ui/form/choice-fields.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { EntryList } from './schedule-lists.tsx'

const { haltAbovePercent, stopTime } = PublishingDefaults.shape

const PhaseEntry = z.object({
  share: Share,
  soakMinutes: Soak,
  gate: field(z.enum(['measured', 'by hand']), { label: 'The next phase begins' }),
  ...gateFields,
})

/** The defaults as a form has them: numbers are texts, and a gate is a choice with its shares beside it. */
export const SafetyForm = z.object({
  haltAbovePercent,
  stopTime,
  phases: z.array(PhaseEntry).check(z.maxLength(mostPhases, `Enter at most ${mostPhases} phases.`), sharesFit),
})

type Texts<Values> = { [Name in keyof Values]: string }
export interface SafetyValues {
  haltAbovePercent: string
  stopTime: string
  phases: Texts<z.infer<typeof PhaseEntry>>[]
}

const gateAtFirst = { maxFailedPercent: 2, maxOfflinePercent: 10 }

export const toSafetyValues = ({ haltAbovePercent, stopTime, phases }: PublishingDefaults): SafetyValues => ({
  haltAbovePercent: haltAbovePercent === null ? '' : String(haltAbovePercent),
  stopTime: stopTime ?? '',
  phases: phases.map(({ share, soakMinutes, gate }) => {
    const { maxFailedPercent, maxOfflinePercent } = gate === 'by hand' ? gateAtFirst : gate
    return {
      share: String(share ?? ''),
      soakMinutes: String(soakMinutes),
      gate: gate === 'by hand' ? gate : 'measured',
      maxFailedPercent: String(maxFailedPercent),
      maxOfflinePercent: String(maxOfflinePercent),
    }
  }),
})

const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim().replace(/\s*%$/, '')))

export const toSafetyInput = ({ haltAbovePercent, stopTime, phases }: SafetyValues) => ({
  haltAbovePercent: haltAbovePercent.trim() === '' ? null : toNumber(haltAbovePercent),
  stopTime: stopTime.trim() || null,
  phases: phases.map(({ share, soakMinutes, gate, maxFailedPercent, maxOfflinePercent }) => ({
    share: toNumber(share),
    soakMinutes: toNumber(soakMinutes),
    gate,
    maxFailedPercent: toNumber(maxFailedPercent),
    maxOfflinePercent: toNumber(maxOfflinePercent),
  })),
})

export function toDefaults(values: SafetyValues): PublishingDefaults {
  const { phases, ...limits } = toSafetyInput(values)
  return {
    ...limits,
    phases: phases.map(
      ({ share, soakMinutes, gate, ...shares }): Phase => ({ share, soakMinutes, gate: gate === 'by hand' ? 'by hand' : shares }),
    ),
  }
}

export const SafetyFields = () => (
  <>
    <TextField name="haltAbovePercent" inputMode="numeric" />
    <TimeField name="stopTime" />
    <EntryList
      name="phases"
      title="Phases"
      hint="Some readers begin first. Which ones is drawn by lot when you publish. After the phases here all other readers begin."
      noun="phase"
      empty="There are no phases: all readers may begin together."
      first={{ share: '5', soakMinutes: '60', gate: 'measured', maxFailedPercent: '2', maxOfflinePercent: '10' }}
    >
      {(entry) => <PhaseFields entry={entry} />}
    </EntryList>
  </>
)

function PhaseFields({ entry }: { entry: string }) {
  const gate: unknown = useWatch({ name: `${entry}.gate` })
  return (
    <>
      <TextField name={`${entry}.share`} inputMode="numeric" />
      <TextField name={`${entry}.soakMinutes`} inputMode="numeric" />
      <SelectField
        name={`${entry}.gate`}
        options={[
          { value: 'measured', label: 'By itself' },
          { value: 'by hand', label: 'By hand' },
        ]}
      />
      {gate !== 'by hand' && (
        <>
          <TextField name={`${entry}.maxFailedPercent`} inputMode="numeric" />
          <TextField name={`${entry}.maxOfflinePercent`} inputMode="numeric" />
        </>
      )}
    </>
  )
}

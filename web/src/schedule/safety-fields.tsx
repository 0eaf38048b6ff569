import {
  defaultPhase,
  gateFields,
  mostPhases,
  type Phase,
  PhaseZones,
  Share,
  Soak,
  sharesFit,
} from '@lectern/contract/publications/phases.ts'
import { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { useController, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { findZoneProblem, formatPhaseZones, type PublishedZones } from '../lib/safety/phases.ts'
import { Button } from '../ui/button/button.tsx'
import { useBoundField } from '../ui/form/bound-form.tsx'
import { SelectField, TimeField } from '../ui/form/choice-fields.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { EntryList } from './schedule-lists.tsx'

const { haltAbovePercent, stopTime } = PublishingDefaults.shape

const PhaseEntry = z.object({
  who: field(z.enum(['share', 'zones']), { label: 'Who begins' }),
  share: z.optional(Share),
  zones: z.optional(PhaseZones),
  soakMinutes: Soak,
  gate: field(z.enum(['measured', 'by hand']), { label: 'The next phase begins' }),
  ...gateFields,
})

/**
 * In the form of fields: numbers are texts, and a gate is a choice with its shares. `published`: the zones that phases may have, where
 * something is published.
 */
export const toSafetyForm = (published: PublishedZones = new Map()) =>
  z.object({
    haltAbovePercent,
    stopTime,
    phases: z.array(PhaseEntry).check(
      z.maxLength(mostPhases, `Enter at most ${mostPhases} phases.`),
      sharesFit,
      z.refine<readonly { zones?: readonly string[] | undefined }[]>((phases) => findZoneProblem(phases, published) === undefined, {
        error: ({ input }) => findZoneProblem(input as Phase[], published),
      }),
    ),
  })

type Texts<Values> = { [Name in keyof Values]-?: string }
export interface SafetyValues {
  haltAbovePercent: string
  stopTime: string
  phases: (Texts<Omit<z.infer<typeof PhaseEntry>, 'zones'>> & { zones: string[] })[]
}

export const toSafetyValues = ({ haltAbovePercent, stopTime, phases }: PublishingDefaults): SafetyValues => ({
  haltAbovePercent: haltAbovePercent === null ? '' : String(haltAbovePercent),
  stopTime: stopTime ?? '',
  phases: phases.map(({ share, zones, soakMinutes, gate }) => {
    const { maxFailedPercent, maxSilentPercent } = gate === 'by hand' ? defaultPhase.gate : gate
    return {
      who: zones ? 'zones' : 'share',
      share: String(share ?? ''),
      zones: zones ?? [],
      soakMinutes: String(soakMinutes),
      gate: gate === 'by hand' ? gate : 'measured',
      maxFailedPercent: String(maxFailedPercent),
      maxSilentPercent: String(maxSilentPercent),
    }
  }),
})

const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim().replace(/\s*%$/, '')))

export const toSafetyInput = ({ haltAbovePercent, stopTime, phases }: SafetyValues) => ({
  haltAbovePercent: haltAbovePercent.trim() === '' ? null : toNumber(haltAbovePercent),
  stopTime: stopTime.trim() || null,
  phases: phases.map(({ who, share, zones, soakMinutes, gate, maxFailedPercent, maxSilentPercent }) => ({
    who,
    ...(who === 'zones' ? { zones, share: undefined } : { zones: undefined, share: toNumber(share) }),
    soakMinutes: toNumber(soakMinutes),
    gate,
    maxFailedPercent: toNumber(maxFailedPercent),
    maxSilentPercent: toNumber(maxSilentPercent),
  })),
})

export function toDefaults(values: SafetyValues): PublishingDefaults {
  const { phases, ...limits } = toSafetyInput(values)
  return {
    ...limits,
    phases: phases.map(({ who: _, share, zones, soakMinutes, gate, ...shares }): Phase => {
      return { ...(zones ? { zones } : { share }), soakMinutes, gate: gate === 'by hand' ? 'by hand' : shares }
    }),
  }
}

/** Given where zones can be chosen for phases. `focused`: the phase whose zones were just chosen. */
interface ZonesOfPhases {
  published: PublishedZones
  onChoose: (phase: number) => void
  focused: number | undefined
}

const first = {
  who: 'share',
  share: '5',
  zones: [],
  soakMinutes: String(defaultPhase.soakMinutes),
  gate: 'measured',
  maxFailedPercent: String(defaultPhase.gate.maxFailedPercent),
  maxSilentPercent: String(defaultPhase.gate.maxSilentPercent),
}

export const SafetyFields = ({ zones }: { zones?: ZonesOfPhases }) => (
  <>
    <TextField name="haltAbovePercent" inputMode="numeric" />
    <TimeField name="stopTime" />
    <EntryList
      name="phases"
      title="Phases"
      hint="Some readers begin first. Which ones of a share is drawn by lot when you publish. After the phases here all other readers begin."
      noun="phase"
      empty="There are no phases: all readers may begin together."
      first={first}
    >
      {(entry, index) => <PhaseFields entry={entry} index={index} zones={zones} />}
    </EntryList>
  </>
)

interface PhaseFieldsProps {
  entry: string
  index: number
  zones: ZonesOfPhases | undefined
}

function PhaseFields({ entry, index, zones }: PhaseFieldsProps) {
  const [gate, who]: unknown[] = useWatch({ name: [`${entry}.gate`, `${entry}.who`] })
  const isOfZones = who === 'zones'
  return (
    <>
      {zones && (isOfZones || zones.published.size > 1) && (
        <SelectField
          name={`${entry}.who`}
          options={[
            { value: 'share', label: 'A share' },
            { value: 'zones', label: 'Chosen zones' },
          ]}
        />
      )}
      {zones && isOfZones ? (
        <ZonesField entry={entry} index={index} zones={zones} />
      ) : (
        <TextField name={`${entry}.share`} inputMode="numeric" required />
      )}
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
          <TextField name={`${entry}.maxSilentPercent`} inputMode="numeric" />
        </>
      )}
    </>
  )
}

function ZonesField({ entry, index, zones: { published, onChoose, focused } }: PhaseFieldsProps & { zones: ZonesOfPhases }) {
  const name = `${entry}.zones`
  const { field: control } = useController({ name })
  const { label, hint, error } = useBoundField(name)
  const ids = control.value as string[]
  return (
    <div className="field schedule-zones">
      <span className="field-label">{label}</span>
      <span className="wrap-anywhere">{ids.length === 0 ? 'None chosen' : formatPhaseZones(ids, published)}</span>
      <span>
        <Button ref={control.ref} small data-autofocus={focused === index || undefined} onClick={() => onChoose(index)}>
          Choose zones<span className="sr-only"> of phase {index + 1}</span>…
        </Button>
      </span>
      {error && (
        <div role="alert">
          <FieldError>{error}</FieldError>
        </div>
      )}
      <span className="field-hint">{hint}</span>
    </div>
  )
}

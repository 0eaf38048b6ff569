import { isRestricted } from '@lectern/contract/schedule/open-times.ts'
import { formatSchedule } from '@lectern/contract/schedule/schedule-words.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useId, useState } from 'react'
import { useNow } from '../../lib/now.ts'
import { FieldError } from '../../ui/form/field.tsx'
import { RadioGroup } from '../../ui/input/radio-group.tsx'
import { TimeInput } from '../../ui/input/time-input.tsx'
import type { WizardStore } from '../draft/wizard-store.ts'
import { isTimeMissing, type WizardState } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'
import { formatRuns, listOutside } from './planned-run.ts'
import { SelectRow } from './select-row.tsx'

const choices = [
  { value: 'now', label: 'Now' },
  { value: 'at', label: 'At' },
]

interface UpdateTimeProps {
  store: Pick<WizardStore, 'state' | 'dispatch'>
  summary: ZoneSummary | undefined
  hasZone: boolean
}

export function UpdateTime({ store: { state, dispatch }, summary, hasZone }: UpdateTimeProps) {
  const id = useId()
  const [isLeft, setLeft] = useState(false)
  const isWrong = isTimeMissing(state) && isLeft
  const isAt = state.when === 'at'
  return (
    <SelectRow
      label={
        <>
          {isAt ? <label htmlFor={`${id}-time`}>Update time</label> : <b>Update time</b>}
          <span>{isAt ? 'Local to each host PC' : 'On every host PC'}</span>
        </>
      }
    >
      <div className="update-time">
        <RadioGroup
          label="When readers update"
          options={choices}
          value={state.when}
          onChange={(value) => dispatch({ type: 'when', when: value === 'now' ? 'now' : 'at' })}
        />
        {isAt && (
          <TimeInput
            id={`${id}-time`}
            aria-describedby={`${id}-run`}
            aria-invalid={isWrong || undefined}
            value={state.updateTime}
            onChange={(updateTime) => {
              setLeft(false)
              dispatch({ type: 'updateTime', updateTime })
            }}
            onBlur={() => setLeft(true)}
          />
        )}
        <NextRun id={`${id}-run`} state={state} summary={summary} hasZone={hasZone} />
      </div>
      {isWrong && <FieldError>The update time must be a time of day, such as 02:00.</FieldError>}
    </SelectRow>
  )
}

interface NextRunProps {
  id: string
  state: WizardState
  summary: ZoneSummary | undefined
  hasZone: boolean
}

function NextRun({ id, state, summary, hasZone }: NextRunProps) {
  const now = useNow()
  return (
    <div id={id} className="next-run">
      {describeRuns(state, summary, hasZone, now).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

/** Says when maintenance windows and blocked days to come let readers begin; [] where there are none. */
function describeOpenTimes({ openTimes }: ZoneSummary, now: Date): string[] {
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10)
  const coming = { ...openTimes, blockedDays: openTimes.blockedDays.filter(({ to }) => to >= yesterday) }
  return isRestricted(coming) ? [`Readers may begin: ${formatSchedule(coming)}.`] : []
}

function describeRuns(state: WizardState, summary: ZoneSummary | undefined, hasZone: boolean, now: Date): string[] {
  if (isTimeMissing(state)) return ['Set a time of day, such as 02:00.']
  if (!hasZone) return ['Choose a zone to see when its readers update.']
  if (!summary) return []
  if (summary.hosts === 0)
    return [`${summary.zones === 1 ? 'This zone has' : 'These zones have'} no host PC yet. Nothing updates until one is installed.`]
  const outside = listOutside(state, summary, now)
  if (outside.length > 0)
    return [`Now is outside the maintenance windows, which open ${outside[0]}. Publish asks first.`, ...describeOpenTimes(summary, now)]
  if (state.when === 'now') return ['Readers begin as soon as their host PC has it, whatever its clock says.']
  const runs = formatRuns(state, summary, now)
  const allowed = describeOpenTimes(summary, now)
  // Windows of zones may differ within one time zone.
  const timeZones = summary.timeZones.length
  if (runs.length === 1) return [`Next run ${runs[0]}`, ...allowed]
  return [`${counted(summary.hosts, 'host PC')}${timeZones > 1 ? ` in ${timeZones} time zones` : ''}, next runs:`, ...runs, ...allowed]
}

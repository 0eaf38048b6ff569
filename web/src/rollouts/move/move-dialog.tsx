import { MoveInput, type MovePlan } from '@lectern/contract/publications/moves.ts'
import { groupRuns, mergeRuns } from '@lectern/contract/publications/runs.ts'
import { startInstant } from '@lectern/contract/publications/update-time.ts'
import { exactInstant, formatDate, wallClock } from '@lectern/contract/publications/zone-clock.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import type { QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import * as z from 'zod/mini'
import type { CallError } from '../../lib/api/call-error.ts'
import { q, useMutation } from '../../lib/api/query.ts'
import { useContractForm } from '../../lib/form/contract-form.ts'
import { useNow } from '../../lib/now.ts'
import { formatClock, formatRun, nextOpenings, viewerTimeZone } from '../../lib/run-words.ts'
import type { Close } from '../../ui/dialog/dialog.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useToast } from '../../ui/feedback/toast.tsx'
import { RadioField, TimeField } from '../../ui/form/choice-fields.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'

const MoveForm = z.extend(MoveInput, { when: field(z.enum(['now', 'later']), { label: 'When' }) })
const times = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'At' },
]

interface Movable {
  organizationId: string
  // The rollout's id.
  id: string
  title: string
  /** Only this zone; absent: all zones that wait. */
  zone?: { id: string; name: string } | undefined
}

interface MoveDialogProps extends Movable {
  plan: MovePlan
  /** On how many other days than the chosen one it has runs. */
  otherDays?: number
  close: Close<void>
}

export const readMovePlan = (client: QueryClient, { organizationId, id, zone }: Movable): Promise<MovePlan> =>
  client.fetchQuery(q('previewMove', { params: { organizationId, id }, query: { zone: zone?.id } }))

/** Starts what waits now, or moves it to another day and time (NOW-04). */
export function MoveDialog({ organizationId, id, title, zone, plan, otherDays = 0, close }: MoveDialogProps) {
  const toast = useToast()
  const move = useMutation('moveRollout', { errorInPlace: true })
  const scope = zone && { zones: [zone.id] }

  const startNow = useStartNow(plan.clocks)
  const bound = useContractForm({
    schema: MoveForm,
    values: { when: 'later', ...suggest(plan) },
    draft: `move/${id}`,
    save: ({ when, date, updateTime }) => {
      const params = { organizationId, id }
      if (when !== 'now') return move.mutateAsync({ params, body: { ...scope, date, updateTime } })
      return startNow(params, scope)
    },
    onSaved({ message }, { when }) {
      toast({ title: when === 'now' ? 'Rollout started' : 'Rollout moved', detail: message })
      close()
    },
  })
  const [when, date, updateTime] = bound.form.watch(['when', 'date', 'updateTime'])
  return (
    <FormDialog title="When readers update" bound={bound} submit={['Save', 'Saving']} close={close}>
      <p className="wrap-anywhere">
        <b>{title}</b>
        {zone ? ` in ${zone.name}` : ', in all zones that wait for their time'}
      </p>
      {otherDays > 0 && (
        <Notice kind="warn">
          It also runs{zone && ' there'} on {counted(otherDays, 'other day')}. What is chosen here holds for these runs too
          {zone ? '.' : '; for one zone alone, choose it above the calendar first.'}
        </Notice>
      )}
      {plan.phases.map((each) => (
        <Notice key={each.phase}>
          {describeWait(each, zone !== undefined)}{' '}
          {when === 'now' ? 'Its readers begin then.' : 'The time that is chosen here holds from then on.'}
        </Notice>
      ))}
      <RadioField name="when" options={times} />
      {when === 'later' && (
        <>
          <TextField name="date" type="date" max="9999-12-31" />
          <TimeField name="updateTime" />
          <MovedRuns clocks={plan.clocks} date={date} updateTime={updateTime} />
        </>
      )}
      {when === 'now' && <p className="text-13 text-ink-2">Readers begin as soon as their host PC has it, whatever its clock says.</p>}
    </FormDialog>
  )
}

/** "It waits for phase 2, which begins by hand." */
function describeWait({ phase, isByHand, zones }: MovePlan['phases'][number], isOfZone: boolean): string {
  const who = isOfZone ? 'It waits' : `${counted(zones, 'zone')} of these ${zones === 1 ? 'waits' : 'wait'}`
  return `${who} for phase ${phase}, which begins ${isByHand ? 'by hand' : 'after the phase before it'}.`
}

type Clocks = MovePlan['clocks']

/** @throws once, where "now" is outside the maintenance windows of a zone (NOW-05) */
function useStartNow(clocks: Clocks) {
  const { mutateAsync } = useMutation('startRollout', { errorInPlace: true })
  const isAsked = useRef(false)
  const ask = (outside: string) => {
    isAsked.current = true
    throw new Error(`${outside} Press Save again to start now all the same.`)
  }
  return async (params: { organizationId: string; id: string }, scope: { zones: string[] } | undefined) => {
    const now = new Date()
    const opens = isAsked.current ? [] : mergeRuns(clocks.flatMap(({ timeZones, openTimes }) => nextOpenings(timeZones, openTimes, now)))
    if (opens[0]) ask(`Now is outside the maintenance windows, which open ${formatRun(opens[0], { now })}.`)
    const body = { ...scope, ...(isAsked.current && { outsideWindow: 'allowed' as const }) }
    return mutateAsync({ params, body }).catch((error: CallError) => {
      const outside = error.problem?.errors?.find(({ field: name }) => name === 'outsideWindow')
      if (outside) ask(outside.message)
      throw error
    })
  }
}

/** The present time; where it is not known, tomorrow. */
function suggest({ first }: MovePlan): { date: string; updateTime: string } {
  const at = new Date(first?.at ?? Date.now() + 86_400_000)
  const timeZone = first?.timeZones[0] ?? viewerTimeZone()
  return { date: formatDate(wallClock(at.getTime(), timeZone)), updateTime: first ? formatClock(at, timeZone) : '02:00' }
}

const shownRuns = 4

/** When it would begin on each clock, within the zones' maintenance windows. */
function MovedRuns({ clocks, date, updateTime }: { clocks: Clocks; date: string; updateTime: string }) {
  const now = useNow()
  const isWhole = MoveInput.safeParse({ date, updateTime }).success
  const starts = isWhole ? clocks.flatMap((clock) => listStarts(clock, { date, updateTime, now })) : []
  const runs = groupRuns(starts)
  return (
    <ul className="text-13 text-ink-2" aria-label="When readers begin">
      {runs.slice(0, shownRuns).map((run) => (
        <li key={run.at}>{formatRun(run, { now })}</li>
      ))}
      {runs.length > shownRuns && <li>And {counted(runs.length - shownRuns, 'more time')}.</li>}
      {starts.some(({ isMoved }) => isMoved) && <li>The maintenance windows and blocked days move it there.</li>}
    </ul>
  )
}

function listStarts({ timeZones, openTimes }: Clocks[number], { date, updateTime, now }: { date: string; updateTime: string; now: Date }) {
  const times = { updateTime, startDate: date, stopTime: null, openTimes }
  return timeZones.flatMap((timeZone) => {
    const exact = exactInstant(date, updateTime, timeZone)
    const at = startInstant(now, times, timeZone, now)
    return exact === null ? [] : [{ at, timeZone, isMoved: at.getTime() !== exact }]
  })
}

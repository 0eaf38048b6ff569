import { MoveInput } from '@lectern/contract/publications/moves.ts'
import { groupRuns, type Run } from '@lectern/contract/publications/runs.ts'
import { startInstant } from '@lectern/contract/publications/update-time.ts'
import { exactInstant, formatDate, wallClock } from '@lectern/contract/publications/zone-clock.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { findOpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
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

interface MoveDialogProps {
  organizationId: string
  // Of the rollout.
  id: string
  title: string
  /** Only this one; all that wait otherwise. */
  zone?: { id: string; name: string } | undefined
  /** Those that wait. */
  runs: readonly Run[]
  /** On which it runs besides those. */
  otherDays?: number
  close: Close<void>
}

/** Starts what waits now, or moves it to another day and time (NOW-04). */
export function MoveDialog({ organizationId, id, title, zone, runs, otherDays = 0, close }: MoveDialogProps) {
  const toast = useToast()
  const schedule = useQuery(q('getSchedule', { params: { organizationId } })).data
  const openTimes = schedule && findOpenTimes(schedule, zone?.id ?? null)
  const timeZones = runs.flatMap(({ timeZones: here }) => here)
  const move = useMutation('moveRollout', { errorInPlace: true })
  const scope = zone && { zones: [zone.id] }

  const startNow = useStartNow(timeZones, openTimes)
  const bound = useContractForm({
    schema: MoveForm,
    values: { when: 'later', ...suggest(runs) },
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
      <RadioField name="when" options={times} />
      {when === 'later' && (
        <>
          <TextField name="date" type="date" max="9999-12-31" />
          <TimeField name="updateTime" />
          {openTimes && <MovedRuns {...{ timeZones, openTimes, date, updateTime }} />}
        </>
      )}
      {when === 'now' && <p className="text-13 text-ink-2">Readers begin as soon as their host PC has it, whatever its clock says.</p>}
    </FormDialog>
  )
}

/** @throws once, where now is outside the maintenance windows (NOW-05): of all zones, or of one that the server names */
function useStartNow(timeZones: readonly string[], openTimes: OpenTimes | undefined) {
  const { mutateAsync } = useMutation('startRollout', { errorInPlace: true })
  const isAsked = useRef(false)
  const ask = (outside: string) => {
    isAsked.current = true
    throw new Error(`${outside} Press Save again to start now all the same.`)
  }
  return async (params: { organizationId: string; id: string }, scope: { zones: string[] } | undefined) => {
    const now = new Date()
    const [opens] = openTimes && !isAsked.current ? nextOpenings(timeZones, openTimes, now) : []
    if (opens) ask(`Now is outside the maintenance windows, which open ${formatRun(opens, { now })}.`)
    const body = { ...scope, ...(isAsked.current && { outsideWindow: 'allowed' as const }) }
    return mutateAsync({ params, body }).catch((error: CallError) => {
      const outside = error.problem?.errors?.find(({ field: name }) => name === 'outsideWindow')
      if (outside) ask(outside.message)
      throw error
    })
  }
}

/** Those of its first zones, where the rollout is summed and has none itself. */
export async function readRuns(client: QueryClient, organizationId: string, id: string): Promise<Run[]> {
  const { partList } = await client.fetchQuery(q('listRolloutParts', { params: { organizationId, id } }))
  const now = new Date().toISOString()
  return partList.flatMap(({ runs }) => runs.filter(({ at }) => at > now)).sort((one, other) => one.at.localeCompare(other.at))
}

/** The time as it is; tomorrow where it is not known. */
function suggest([first]: readonly Run[]): { date: string; updateTime: string } {
  const at = new Date(first?.at ?? Date.now() + 86_400_000)
  const timeZone = first?.timeZones[0] ?? viewerTimeZone()
  return { date: formatDate(wallClock(at.getTime(), timeZone)), updateTime: first ? formatClock(at, timeZone) : '02:00' }
}

interface MovedRunsProps {
  timeZones: readonly string[]
  openTimes: OpenTimes
  date: string
  updateTime: string
}

const shownRuns = 4

/** When it begins on each clock, as the maintenance windows let it. */
function MovedRuns({ timeZones, openTimes, date, updateTime }: MovedRunsProps) {
  const now = useNow()
  const isWhole = MoveInput.safeParse({ date, updateTime }).success
  const clocks = isWhole ? timeZones.filter((timeZone) => exactInstant(date, updateTime, timeZone) !== null) : []
  const times = { updateTime, startDate: date, stopTime: null, openTimes }
  const runs = groupRuns(clocks.map((timeZone) => ({ at: startInstant(now, times, timeZone, now), timeZone })))
  const isMoved = clocks.some((timeZone) => startInstant(now, times, timeZone, now).getTime() !== exactInstant(date, updateTime, timeZone))
  return (
    <ul className="text-13 text-ink-2" aria-label="When readers begin">
      {runs.slice(0, shownRuns).map((run) => (
        <li key={run.at}>{formatRun(run, { now })}</li>
      ))}
      {isMoved && <li>The maintenance windows and blocked days move it there.</li>}
    </ul>
  )
}

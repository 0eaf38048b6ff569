import { RollBackInput, type RollBackPlan } from '@lectern/contract/publications/roll-back.ts'
import { mergeRuns, type Run } from '@lectern/contract/publications/runs.ts'
import { defaultUpdateTime } from '@lectern/contract/publications/update-time.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { counted, formatNumber, nounOfUpdates } from '@lectern/contract/text/numbers.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { CallError } from '../lib/api/call-error.ts'
import { q } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useNow } from '../lib/now.ts'
import { formatRun, haveMoved, nextOpenings, nextRuns } from '../lib/run-words.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { RadioField, TimeField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { describeOlder, FigureList, Figures, kindNames } from './figures.tsx'
import { type Instead, InsteadFields } from './roll-back-instead.tsx'
import type { RolloutChange } from './use-rollout-change.ts'

const RollBackForm = z.extend(RollBackInput, { when: field(z.enum(['now', 'later']), { label: 'When' }) })
const times = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'At' },
]

interface RollBackDialogProps {
  organizationId: string
  /** The rollout's id. */
  id: string
  /** Readers that may still begin while the dialog is open. */
  waiting: number
  onRollBack: RolloutChange['rollBack']
  close: Close<string>
}

/** Gives each reader back what it had. Resolves with the id of the new rollout. */
export function RollBackDialog({ organizationId, id, waiting, onRollBack, close }: RollBackDialogProps) {
  const client = useQueryClient()
  const preview = q('previewRollBack', { params: { organizationId, id } })
  const query = useQuery(preview)
  const plan = query.data
  const [instead, setInstead] = useState<Instead>({})
  const clocks = plan?.clocks ?? []
  const toTime = ({ when, updateTime }: { when: string; updateTime: string }) => (when === 'later' ? updateTime : null)

  const { chosenAt, askAboutMovedRun, askAboutWindow } = useRunQuestions(clocks)
  const bound = useContractForm({
    schema: RollBackForm,
    values: { when: 'now', updateTime: defaultUpdateTime },
    toInput: (values) => ({ when: values.when, updateTime: toTime(values), instead: [] }),
    draft: `roll-back/${id}`,
    save: async (values) => {
      const updateTime = toTime(values)
      if (updateTime !== null) askAboutMovedRun(updateTime)
      const outsideWindow = updateTime === null && askAboutWindow() ? ('allowed' as const) : undefined
      try {
        return await onRollBack({ updateTime, outsideWindow, expected: plan?.parts, instead: Object.values(instead) })
      } catch (error) {
        if (error instanceof CallError && error.problem?.errors?.some((one) => one.field === 'expected'))
          await client.invalidateQueries({ queryKey: preview.queryKey })
        throw error
      }
    },
    onSaved: (next) => close(next),
  })
  const [when, updateTime] = bound.form.watch(['when', 'updateTime'])
  useEffect(() => {
    chosenAt.current = new Date()
  }, [when, updateTime])
  return (
    <FormDialog
      title="Roll back this rollout?"
      bound={bound}
      submit={['Roll back', 'Rolling back']}
      disabled={!plan}
      destructive
      close={close}
    >
      <p>Each reader gets back what it had itself. Waiting readers are left as they are. Zones desire again what they desired before.</p>
      <QueryStates query={query} failed="Error loading what a roll back would do">
        {(loaded) => (
          <>
            <PlanFigures plan={loaded} />
            {waiting > 0 && (
              <Notice>
                {counted(waiting, nounOfUpdates(loaded.parts.map(({ kind }) => kind)))} may still begin while you look. Halt the rollout
                first, and the counts stay as they are.
              </Notice>
            )}
            <InsteadFields organizationId={organizationId} parts={loaded.parts} chosen={instead} onChange={setInstead} />
          </>
        )}
      </QueryStates>
      <RadioField name="when" options={times} />
      {when === 'later' && (
        <>
          <TimeField name="updateTime" />
          <NextRuns clocks={clocks} updateTime={updateTime} />
        </>
      )}
    </FormDialog>
  )
}

type Counts = RollBackPlan['parts'][number]

const sum = (parts: readonly Counts[], name: keyof Omit<Counts, 'model' | 'kind'>) => parts.reduce((total, part) => total + part[name], 0)

/** Each kind is counted by itself, as a reader may get both back. */
function PlanFigures({ plan: { parts, contents, others } }: { plan: RollBackPlan }) {
  const kinds = [...Map.groupBy(parts, ({ kind }) => kind)]
  return (
    <>
      {kinds.map(([kind, own]) => (
        <KindFigures key={kind} label={kinds.length > 1 ? kindNames[kind] : ''} parts={own} />
      ))}
      {parts.length > kinds.length && <ByModel parts={parts} />}
      {contents.length > 0 && (
        <FigureList label="What readers get back">
          {contents.map(({ model, kind, name, readers }) => (
            <li key={`${model} ${kind} ${name}`}>
              <b>{`${model}: ${kind === 'firmware' ? `firmware ${name}` : name}`}</b>
              <span>{counted(readers, 'reader')}</span>
            </li>
          ))}
          {others > 0 && (
            <li>
              {counted(others, 'more reader')} {others === 1 ? 'gets' : 'get'} something else.
            </li>
          )}
        </FigureList>
      )}
    </>
  )
}

/** `label`: the kind's; '' where there is only one. */
function KindFigures({ label, parts }: { label: string; parts: readonly Counts[] }) {
  const always = [
    [sum(parts, 'givenBack'), 'get back what they had', describeOlder(sum(parts, 'older'))],
    [sum(parts, 'released'), 'are released', 'The rollout has not reached them.'],
  ] as const
  const others = [
    [
      sum(parts, 'notKnown'),
      'are not known',
      'Their host PC is away. If it has updated them, they get back what they had once it is back.',
    ],
    [sum(parts, 'hasIt'), 'run what they had already', ''],
    [sum(parts, 'leftAlone'), 'are left alone', 'A user or something newer has changed them since, or they moved.'],
    [sum(parts, 'unavailable'), 'cannot get back what they had', 'It is not known, or is no longer offered.'],
  ] as const
  return (
    <>
      {label !== '' && <h3 className="field-label">{label}</h3>}
      <Figures label={`What happens to the readers ${label}`.trim()} figures={[...always, ...others.filter(([readers]) => readers > 0)]} />
    </>
  )
}

function ByModel({ parts }: { parts: readonly Counts[] }) {
  return (
    <FigureList label="By model">
      {parts.map((part) => (
        <li key={`${part.model} ${part.kind}`}>
          <b>{`${part.model}, ${part.kind}`}</b>
          <span>
            {formatNumber(part.givenBack)} back, {formatNumber(part.released)} released
            {part.unavailable > 0 && `, ${formatNumber(part.unavailable)} cannot`}
          </span>
        </li>
      ))}
    </FigureList>
  )
}

type Clocks = RollBackPlan['clocks'][number]

/** Questions that saving shows first, as errors; pressed again, it goes on. */
function useRunQuestions(clocks: readonly Clocks[]) {
  const chosenAt = useRef(new Date())
  const isAsked = useRef(false)

  /** @throws once, where the run has moved to another day since it was chosen (NOW-03) */
  function askAboutMovedRun(updateTime: string) {
    const now = new Date()
    const [from, to] = [chosenAt.current, now].map((moment) => listRuns(clocks, updateTime, moment))
    if (!haveMoved(from!, to!)) return
    chosenAt.current = now
    const runs = to!.map((run) => formatRun(run, { updateTime, now }))
    throw new Error(`The run has moved to another day: ${runs.join('; ')}. Press Roll back again to publish for it, or choose Now.`)
  }

  /** @throws once, where "now" is outside the maintenance windows of a zone (NOW-05) */
  function askAboutWindow(): boolean {
    const now = new Date()
    const opens = clocks.flatMap(({ timeZones, openTimes }) => nextOpenings(timeZones, openTimes, now))
    const [first] = opens.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    if (!first || isAsked.current) return first !== undefined
    isAsked.current = true
    throw new Error(
      `Now is outside the maintenance windows, which open ${formatRun(first, { now })}. Press Roll back again to start now all the same.`,
    )
  }

  return { chosenAt, askAboutMovedRun, askAboutWindow }
}

const listRuns = (clocks: readonly Clocks[], updateTime: string, now: Date): Run[] =>
  mergeRuns(clocks.flatMap(({ timeZones, openTimes }) => nextRuns(timeZones, updateTime, now, openTimes)))

const isTimeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/
const shownRuns = 4

/** A line for each clock of the zones that are rolled back. */
function NextRuns({ clocks, updateTime }: { clocks: readonly Clocks[]; updateTime: string }) {
  const now = useNow()
  const runs = isTimeOfDay.test(updateTime) ? listRuns(clocks, updateTime, now) : []
  return (
    <ul className="text-13 text-ink-2" aria-label="When readers update">
      {runs.slice(0, shownRuns).map((run) => (
        <li key={run.at}>{formatRun(run, { updateTime, now })}</li>
      ))}
      {runs.length > shownRuns && <li>And {counted(runs.length - shownRuns, 'more time')}.</li>}
    </ul>
  )
}

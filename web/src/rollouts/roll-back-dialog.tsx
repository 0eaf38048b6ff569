import './roll-back-dialog.css'
import { RollBackInput } from '@lectern/contract/publications/moves.ts'
import { mergeRuns, type Run } from '@lectern/contract/publications/runs.ts'
import { defaultUpdateTime } from '@lectern/contract/publications/update-time.ts'
import type { RolloutDetail, RolloutPart } from '@lectern/contract/rollouts.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { findOpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { q } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { pageQuery } from '../lib/list-address.ts'
import { useNow } from '../lib/now.ts'
import { formatRun, haveMoved, nextOpenings, nextRuns } from '../lib/run-words.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { RadioField, TimeField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'

const RollBackForm = z.extend(RollBackInput, { when: field(z.enum(['now', 'later']), { label: 'When' }) })
const times = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'At' },
]

const zonesPerRead = 100

/** @throws CallError */
export async function readAllParts(client: QueryClient, organizationId: string, { id, zoneCount }: RolloutDetail): Promise<RolloutPart[]> {
  const pages = Array.from({ length: Math.ceil(zoneCount / zonesPerRead) }, (_, page) =>
    client.fetchQuery(q('listRolloutParts', { params: { organizationId, id }, query: pageQuery({ page, size: zonesPerRead }) })),
  )
  return (await Promise.all(pages)).flatMap(({ partList }) => partList)
}

interface RollBackDialogProps {
  organizationId: string
  // Of the rollout.
  id: string
  parts: readonly RolloutPart[]
  onRollBack: (updateTime: string | null, outsideWindow?: 'allowed') => Promise<string>
  close: Close<string>
}

/** Publishes what the readers had before. Resolves with the id of the new rollout. */
export function RollBackDialog({ organizationId, id, parts, onRollBack, close }: RollBackDialogProps) {
  const clocks = useClocks(organizationId, parts)
  const toTime = ({ when, updateTime }: { when: string; updateTime: string }) => (when === 'later' ? updateTime : null)

  const { chosenAt, askAboutMovedRun, askAboutWindow } = useRunQuestions(clocks ?? [])
  const bound = useContractForm({
    schema: RollBackForm,
    values: { when: 'now', updateTime: parts[0]?.updateTime ?? defaultUpdateTime },
    toInput: (values) => ({ when: values.when, updateTime: toTime(values) }),
    draft: `roll-back/${id}`,
    save: async (values) => {
      const updateTime = toTime(values)
      if (updateTime !== null) askAboutMovedRun(updateTime)
      return onRollBack(updateTime, updateTime === null && askAboutWindow() ? 'allowed' : undefined)
    },
    onSaved: (next) => close(next),
  })
  const [when, updateTime] = bound.form.watch(['when', 'updateTime'])
  useEffect(() => {
    chosenAt.current = new Date()
  }, [when, updateTime])
  const isLater = when === 'later'
  return (
    <FormDialog
      title="Roll back this rollout?"
      bound={bound}
      submit={['Roll back', 'Publishing']}
      disabled={(isLater && !clocks) || !parts.some(canGoBack)}
      destructive
      close={close}
    >
      <p>
        What ran on these readers before, and was not halted, is published again, as a new rollout; where nothing has run yet, what was
        published before.
      </p>
      <RollBackParts parts={parts} />
      <RadioField name="when" options={times} />
      {isLater && (
        <>
          <TimeField name="updateTime" />
          {clocks ? <NextRuns clocks={clocks} updateTime={updateTime} /> : <p>Loading the host PCs...</p>}
        </>
      )}
    </FormDialog>
  )
}

interface Clocks {
  timeZones: string[]
  openTimes: OpenTimes
}

/** What saving asks first, by an error: pressed again, it goes on. */
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

  /** @throws once, where now is outside the maintenance windows of a zone (NOW-05) */
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

/** Of the zones that are rolled back; undefined until they are known. */
function useClocks(organizationId: string, parts: readonly RolloutPart[]): Clocks[] | undefined {
  const { data: schedule } = useQuery(q('getSchedule', { params: { organizationId } }))
  const { data: zones } = useQuery(q('listZoneOverviews', { params: { organizationId } }))
  const zoneIds = new Set(parts.filter(({ isCurrent }) => isCurrent).map(({ zoneId }) => zoneId))
  if (!schedule) return undefined
  return zones
    ?.filter(({ zoneId }) => zoneIds.has(zoneId))
    .map(({ zoneId, hosts }) => ({ timeZones: hosts.map(({ timeZone }) => timeZone), openTimes: findOpenTimes(schedule, zoneId) }))
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

const shownParts = 20

function RollBackParts({ parts }: { parts: readonly RolloutPart[] }) {
  const current = parts.filter(({ isCurrent }) => isCurrent)
  const known = current.filter(canGoBack)
  const unknown = current.filter(({ previous }) => previous === undefined)
  const replaced = parts.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      <ul className="rollout-back">
        {known.slice(0, shownParts).map((part) => (
          <li key={part.publication}>
            <b>{formatPlace(part)}</b>
            <span>{formatPrevious(part)}</span>
          </li>
        ))}
        {known.length > shownParts && <li>And {formatNumber(known.length - shownParts)} more.</li>}
      </ul>
      {unknown.length > 0 && (
        <Notice>
          What these ran before is not known, was halted or is no longer offered. They stay as they are: {formatPlaces(unknown)}.
        </Notice>
      )}
      {replaced.length > 0 && <Notice>Something newer was published for these, which stays: {formatPlaces(replaced)}.</Notice>}
    </>
  )
}

const canGoBack = ({ isCurrent, previous }: RolloutPart): boolean => isCurrent && previous !== undefined

/** "4.12.0"; where it was never published "4.12.0, which 9 of 14 readers ran". */
const formatPrevious = ({ previous, ranBefore }: RolloutPart): string =>
  ranBefore === undefined
    ? `${previous}`
    : `${previous}, which ${ranBefore.readers === ranBefore.of ? counted(ranBefore.of, 'reader') : `${formatNumber(ranBefore.readers)} of ${counted(ranBefore.of, 'reader')}`} ran`

const formatPlace = ({ zone, deviceType }: RolloutPart): string => `${zone}, ${deviceType}`

const formatPlaces = (parts: readonly RolloutPart[]): string =>
  `${parts.slice(0, shownParts).map(formatPlace).join('; ')}${parts.length > shownParts ? `; and ${formatNumber(parts.length - shownParts)} more` : ''}`

import './roll-back-dialog.css'
import { defaultUpdateTime } from '@lectern/contract/publications/update-time.ts'
import { RollBackInput, type RolloutDetail, type RolloutPart } from '@lectern/contract/rollouts.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { q } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { pageQuery } from '../lib/list-address.ts'
import { useNow } from '../lib/now.ts'
import { formatRun, haveMoved, nextRuns } from '../lib/run-words.ts'
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
  onRollBack: (updateTime: string | null) => Promise<string>
  close: Close<string>
}

/** Publishes what the readers had before. Resolves with the id of the new rollout. */
export function RollBackDialog({ organizationId, id, parts, onRollBack, close }: RollBackDialogProps) {
  const timeZones = useTimeZones(organizationId, parts)
  const chosenAt = useRef(new Date())
  const toTime = ({ when, updateTime }: { when: string; updateTime: string }) => (when === 'later' ? updateTime : null)

  /** @throws once, where the run has moved to another day since it was chosen (NOW-03) */
  function askAboutMovedRun(updateTime: string) {
    const now = new Date()
    const [from, to] = [chosenAt.current, now].map((moment) => nextRuns(timeZones ?? [], updateTime, moment))
    if (!haveMoved(from!, to!)) return
    chosenAt.current = now
    const runs = to!.map((run) => formatRun(run, { updateTime, now }))
    throw new Error(`The run has moved to another day: ${runs.join('; ')}. Press Roll back again to publish for it, or choose Now.`)
  }

  const bound = useContractForm({
    schema: RollBackForm,
    values: { when: 'now', updateTime: parts[0]?.updateTime ?? defaultUpdateTime },
    toInput: (values) => ({ when: values.when, updateTime: toTime(values) }),
    draft: `roll-back/${id}`,
    save: async (values) => {
      const updateTime = toTime(values)
      if (updateTime !== null) askAboutMovedRun(updateTime)
      return onRollBack(updateTime)
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
      disabled={(isLater && !timeZones) || !parts.some(canGoBack)}
      destructive
      close={close}
    >
      <p>What these readers had before is published again, as a new rollout.</p>
      <RollBackParts parts={parts} />
      <RadioField name="when" options={times} />
      {isLater && (
        <>
          <TimeField name="updateTime" />
          {timeZones ? <NextRuns timeZones={timeZones} updateTime={updateTime} /> : <p>Loading the host PCs...</p>}
        </>
      )}
    </FormDialog>
  )
}

/** Of the zones that are rolled back; undefined until they are known. */
function useTimeZones(organizationId: string, parts: readonly RolloutPart[]): string[] | undefined {
  const { data: zones } = useQuery(q('listZoneOverviews', { params: { organizationId } }))
  const zoneIds = new Set(parts.filter(({ isCurrent }) => isCurrent).map(({ zoneId }) => zoneId))
  return zones?.filter(({ zoneId }) => zoneIds.has(zoneId)).flatMap(({ hosts }) => hosts.map(({ timeZone }) => timeZone))
}

const isTimeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/
const shownRuns = 4

/** A line for each clock of the zones that are rolled back. */
function NextRuns({ timeZones, updateTime }: { timeZones: readonly string[]; updateTime: string }) {
  const now = useNow()
  const runs = isTimeOfDay.test(updateTime) ? nextRuns(timeZones, updateTime, now) : []
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
        <Notice>What these had before is not known, or no longer offered. They stay as they are: {formatPlaces(unknown)}.</Notice>
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

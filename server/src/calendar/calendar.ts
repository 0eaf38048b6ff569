import { type Calendar, type ComingRun, calendarLimits, type PhaseWait } from '@lectern/contract/calendar.ts'
import { groupRuns } from '@lectern/contract/publications/runs.ts'
import { currentTimeZone } from '@lectern/contract/publications/time-zone-history.ts'
import { formatDate, wallClock } from '@lectern/contract/publications/zone-clock.ts'
import { formatSomeZones } from '@lectern/contract/rollouts/rollout-words.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { notFound } from '../lib/http/problem.ts'
import { findByHand } from '../phases/phases.ts'
import { computeStart } from '../publications/publications.ts'
import { listHeads, listPhaseWaits, listTimeZoneHistories, listWaiting } from '../rollouts/rollouts.ts'
import { selectZone } from './sql.ts'

const zonesNamed = 3

interface Gathered {
  starts: { at: Date; timeZone: string }[]
  zones: string[]
  readers: number
}

type Row = Awaited<ReturnType<typeof listWaiting>>[number] & { time_zone_histories: string[] }

// Groups what waits for its time: by day of the host's clock, then by rollout.
function gatherRuns(rows: readonly Row[], now: Date): Map<string, Map<string, Gathered>> {
  const days = new Map<string, Map<string, Gathered>>()
  for (const row of rows) {
    const starts = row.time_zone_histories.map((history) => ({
      at: computeStart({ ...row, at_once: false, time_zone_history: history }, now),
      timeZone: currentTimeZone(history),
    }))
    const coming = Map.groupBy(
      starts.filter(({ at }) => at > now),
      ({ at, timeZone }) => formatDate(wallClock(at.getTime(), timeZone)),
    )
    for (const [date, here] of coming) {
      const rollouts = days.get(date) ?? new Map<string, Gathered>()
      days.set(date, rollouts)
      const run = rollouts.get(row.rollout_id) ?? { starts: [], zones: [], readers: 0 }
      rollouts.set(row.rollout_id, run)
      run.starts.push(...here)
      addZone(run.zones, row)
      run.readers += row.readers
    }
  }
  return days
}

// Rows come in the order of zones, so only the last name is compared.
const addZone = (zones: string[], { zone }: Row): void => {
  if (zones.at(-1) !== zone) zones.push(zone)
}

interface GatheredWait {
  rollout: string
  phase: number
  zones: string[]
}

/** Groups what waits for a phase first and for its time then: by rollout and phase. */
function gatherPhaseWaits(rows: readonly Row[], waits: ReadonlyMap<string, number>): GatheredWait[] {
  const gathered = new Map<string, GatheredWait>()
  for (const row of rows) {
    const phase = waits.get(row.phased_id ?? '')
    if (phase === undefined) continue
    const key = `${row.rollout_id} ${phase}`
    const wait = gathered.get(key) ?? { rollout: row.rollout_id, phase, zones: [] }
    gathered.set(key, wait)
    addZone(wait.zones, row)
  }
  // The newest rollouts first.
  return [...gathered.values()].sort((one, other) => other.rollout.localeCompare(one.rollout) || one.phase - other.phase)
}

type Head = NonNullable<ReturnType<Awaited<ReturnType<typeof listHeads>>['get']>>

/**
 * Names a rollout by how many of its zones are meant: "7 zones tagged Clinic", or "3 of 7 zones tagged Clinic". One zone is called by its
 * name.
 */
const toNamed = (rollout: string, { title, name, zones }: Head, count: number) => ({
  rollout,
  title,
  ...(name !== undefined && { name }),
  ...(zones && count > 1 && { zoneWords: count === zones.count ? zones.words : formatSomeZones(count, zones.words) }),
})

const countRollouts = (rows: readonly Row[]): number => new Set(rows.map(({ rollout_id }) => rollout_id)).size

export async function getCalendar(
  db: Database,
  scope: ZoneScope,
  query: { from: string; days: number; zone?: string | undefined },
): Promise<Calendar> {
  const zone = query.zone === undefined ? undefined : await selectZone(db, scope, query.zone)
  if (query.zone !== undefined && !zone) throw notFound('zone')
  const histories = new Map((await listTimeZoneHistories(db, scope)).map((row) => [row.zone_id, row.time_zone_histories]))
  const rows = (await listWaiting(db, scope, zone?.id)).map((row) => ({ ...row, time_zone_histories: histories.get(row.zone_id) ?? [] }))
  const running = rows.filter(({ halted }) => !halted)
  const phaseWaits = await listPhaseWaits(
    db,
    scope.organizationId,
    running.flatMap(({ phased_id }) => phased_id ?? []),
  )
  const inTurn = running.filter(({ phased_id }) => !phaseWaits.has(phased_id ?? ''))
  const later = gatherPhaseWaits(running, phaseWaits)
  const gathered = [...gatherRuns(inTurn, new Date())].sort(([one], [other]) => (one < other ? -1 : 1))
  const last = formatDate(Date.parse(query.from) + (query.days - 1) * 86_400_000)
  const count = (some: typeof gathered) => some.reduce((sum, [, rollouts]) => sum + rollouts.size, 0)
  const shown = gathered
    .filter(([date]) => query.from <= date && date <= last)
    .map(([date, rollouts]) => ({
      date,
      runCount: rollouts.size,
      runs: [...rollouts]
        .map(([id, run]) => ({ id, ...run, runs: groupRuns(run.starts) }))
        .sort(bySoonest)
        .slice(0, calendarLimits.runsPerDay),
    }))
  const shownWaits = later.slice(0, calendarLimits.phaseWaits)
  const waiting = shownWaits.map(({ rollout }) => rollout)
  const ids = new Set([...shown.flatMap(({ runs }) => runs.map(({ id }) => id)), ...waiting])
  const countDays = (id: string) => gathered.filter(([, rollouts]) => rollouts.has(id)).length
  const heads = await listHeads(db, scope, [...ids])
  const toRun = ({ id, runs, zones, readers }: (typeof shown)[number]['runs'][number]): ComingRun[] => {
    const head = heads.get(id)
    return head
      ? [
          {
            ...toNamed(id, head, zones.length),
            kinds: head.kinds,
            runs,
            zones: zones.slice(0, zonesNamed),
            zoneCount: zones.length,
            readers,
            otherDays: countDays(id) - 1,
          },
        ]
      : []
  }
  const isByHand = await findByHand(db, scope.organizationId, waiting)
  const toWait = ({ rollout, phase, zones }: GatheredWait): PhaseWait[] => {
    const head = heads.get(rollout)
    return !head
      ? []
      : [
          {
            ...toNamed(rollout, head, zones.length),
            phase,
            isByHand: isByHand(rollout, phase),
            zones: zones.slice(0, zonesNamed),
            zoneCount: zones.length,
          },
        ]
  }
  return {
    phaseWaits: shownWaits.flatMap(toWait),
    phaseWaitCount: later.length,
    days: shown.map(({ date, runCount, runs }) => ({ date, runCount, runs: runs.flatMap(toRun) })),
    before: count(gathered.filter(([date]) => date < query.from)),
    after: count(gathered.filter(([date]) => date > last)),
    halted: countRollouts(rows.filter(({ halted }) => halted)),
    withoutHost: countRollouts(running.filter(({ time_zone_histories }) => time_zone_histories.length === 0)),
  }
}

type WithRuns = { id: string; runs: ComingRun['runs'] }

const bySoonest = (one: WithRuns, other: WithRuns): number => {
  const [a, b] = [one.runs[0]?.at ?? '', other.runs[0]?.at ?? '']
  return a === b ? (one.id < other.id ? 1 : -1) : a < b ? -1 : 1
}

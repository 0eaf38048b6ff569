import { farthestMove, type MoveInput, type MovePlan, type StartInput } from '@lectern/contract/publications/moves.ts'
import { currentTimeZone } from '@lectern/contract/publications/time-zone-history.ts'
import { exactInstant } from '@lectern/contract/publications/zone-clock.ts'
import { formatBlocked } from '@lectern/contract/schedule/schedule-words.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Problem } from '../lib/http/problem.ts'
import { findByHand, hasLaterPhases } from '../phases/phases.ts'
import { computeStart } from '../publications/publications.ts'
import { listClocks, requireOpen } from '../schedule/schedule.ts'
import {
  type Call,
  type ChangeableRollout,
  type Current,
  getChangeable,
  notifyHosts,
  recordRolloutChange,
  requireCurrent,
} from './changes.ts'
import { updateAtOnce, updateStart } from './moves-sql.ts'
import { findHaltedAt, toPart } from './parts.ts'
import { type PartRow, selectParts } from './parts-sql.ts'
import { lockZones } from './sql.ts'

type CurrentPart = Current<PartRow>

interface ChosenParts {
  rollout: ChangeableRollout
  /** Parts that wait for their time on every clock of their zone, and perhaps for their phase too. Some may be halted. */
  waiting: CurrentPart[]
  /** Parts that wait for their phase alone. A silent host PC may have updated readers of one. */
  laterPhases: CurrentPart[]
  /** Parts whose readers may begin, unless they are halted. */
  started: CurrentPart[]
}

const isHalted = (part: CurrentPart): boolean => findHaltedAt(part) !== null

const waitsForTime = (part: CurrentPart, now: Date): boolean =>
  !part.at_once && part.time_zone_histories.every((history) => computeStart({ ...part, time_zone_history: history }, now) > now)

/**
 * Returns the parts in these zones that are not complete; undefined: in all zones. Throws a Problem 409 where the rollout does not apply to
 * one of the zones, or is complete.
 */
async function chooseParts(call: Call, zones: readonly string[] | undefined): Promise<ChosenParts> {
  const rollout = await getChangeable(call)
  const current = requireCurrent({ parts: await selectParts(call.db, call.params, [rollout.id], { withReaders: false }) })
  const chosen = zones === undefined ? current : current.filter(({ public_zone_id }) => zones.includes(public_zone_id))
  const found = new Set(chosen.map(({ public_zone_id }) => public_zone_id))
  const missing = new Set(zones?.filter((zone) => !found.has(zone))).size
  if (missing > 0) throw new Problem(409, `This rollout no longer applies to ${counted(missing, 'zone')} of those.`)
  const open = chosen.filter(({ readers, applied, failed }) => readers === 0 || readers > applied + failed)
  if (open.length === 0) throw new Problem(409, 'This rollout is complete.')
  const now = new Date()
  const due = open.filter((part) => !waitsForTime(part, now))
  return {
    rollout,
    waiting: open.filter((part) => waitsForTime(part, now)),
    laterPhases: due.filter(({ phase_waited_for }) => phase_waited_for !== null),
    started: due.filter(({ phase_waited_for }) => phase_waited_for === null),
  }
}

const countZones = (parts: readonly CurrentPart[]): number => new Set(parts.map(({ zone_id }) => zone_id)).size

// Text "in 3 of 12 zones" for the audit log; '' where `some` are in all zones, or in one, which the entry names.
function formatShare(some: readonly CurrentPart[], { parts, hasOtherZones }: ChangeableRollout): string {
  if (hasOtherZones) return ''
  const all = new Set(parts.map(({ zone_id }) => zone_id)).size
  const count = countZones(some)
  return count === all || count === 1 ? '' : `in ${count} of ${all} zones`
}

/** Returns what a move would move. Throws the Problems of the move itself, except that for a rollout that has started. */
export async function previewMove(call: Call, zone: string | undefined): Promise<MovePlan> {
  const { db, params } = call
  const { organizationId } = params
  const now = new Date()
  const { rollout, waiting } = await chooseParts(call, zone === undefined ? undefined : [zone])
  const zones = [...new Set(waiting.map(({ zone_id }) => zone_id))]
  const [first] = waiting.flatMap((part) => toPart(part, now).runs).sort((one, other) => one.at.localeCompare(other.at))
  const later = Map.groupBy(
    waiting.filter(({ phase_waited_for }) => phase_waited_for !== null),
    ({ phase_waited_for }) => phase_waited_for!,
  )
  const isByHand = await findByHand(db, organizationId, later.size > 0 ? [rollout.id] : [])
  return {
    ...(first && { first }),
    clocks: await listClocks(db, organizationId, zones),
    phases: [...later]
      .sort(([one], [other]) => one - other)
      .map(([phase, parts]) => ({ phase, isByHand: isByHand(rollout.id, phase), zones: countZones(parts) })),
  }
}

function formatUnchanged({ started, laterPhases }: ChosenParts): string {
  const going = countZones(started.filter((part) => !isHalted(part)))
  const later = countZones(laterPhases)
  const sentences = [
    ...(going > 0 ? [`${counted(going, 'zone')} had started already and did not change.`] : []),
    ...(later > 0 ? [`${counted(later, 'zone')} ${later === 1 ? 'waits for its phase' : 'wait for their phase'} and did not change.`] : []),
  ]
  return sentences.map((sentence) => ` ${sentence}`).join('')
}

/** Says why nothing of a rollout waits for a time. */
const describeState = ({ rollout, started }: ChosenParts): string =>
  `${rollout.title} ${started.length > 0 ? 'has started already' : 'waits for its phase, and for no time'}.`

// Changes nothing where nothing waits for a time. The message then says so.
export async function startRollout(call: Call, { zones, outsideWindow }: StartInput): Promise<{ message: string }> {
  const { db, params } = call
  await lockZones(db, params)
  const chosen = await chooseParts(call, zones)
  const { rollout, waiting, laterPhases, started } = chosen
  const starting = waiting.filter((part) => !isHalted(part))
  if (starting.length === 0) {
    if ([...waiting, ...laterPhases, ...started].some(isHalted)) throw new Problem(409, 'This rollout is halted. Resume it first.')
    return { message: describeState(chosen) }
  }
  const zoneIds = [...new Set(starting.map(({ zone_id }) => zone_id))]
  if (outsideWindow === undefined) await requireOpen(db, params.organizationId, zoneIds, await hasLaterPhases(db, params))
  await updateAtOnce(
    db,
    params.organizationId,
    starting.map(({ id }) => id),
  )
  const about = [formatShare(starting, rollout), outsideWindow && 'also outside the maintenance windows'].filter(Boolean).join(', ')
  await recordRolloutChange(call, { ...rollout, parts: starting }, { change_type: 'startRollout', new_value: about || null })
  await notifyHosts(call, new Set(starting.map(({ public_zone_id }) => public_zone_id)))
  return { message: `Started ${rollout.title}.${formatUnchanged(chosen)}` }
}

/** Checks a chosen time. Throws a Problem 400 where one of the clocks skips it, where it has passed, or where it is too far away. */
function checkTime({ date, updateTime }: MoveInput, timeZones: readonly string[], now: number): void {
  const refuse = (field: string, message: string) => new Problem(400, message, { errors: [{ field, message }] })
  const farthest = now + farthestMove * 86_400_000
  for (const timeZone of timeZones) {
    const instant = exactInstant(date, updateTime, timeZone)
    if (instant === null)
      throw refuse(
        'updateTime',
        `The clock skips ${updateTime} on ${formatBlocked({ from: date, to: date })} in ${timeZone}. Enter another time.`,
      )
    if (instant <= now) throw refuse('date', `${formatBlocked({ from: date, to: date })} ${updateTime} has passed in ${timeZone}.`)
    if (instant > farthest) throw refuse('date', 'Enter a day within a year.')
  }
}

// Changes nothing where the time is the same.
export async function moveRollout(call: Call, input: MoveInput): Promise<{ message: string }> {
  const { db, params } = call
  const { date, updateTime, zones } = input
  await lockZones(db, params)
  const chosen = await chooseParts(call, zones)
  const { rollout, waiting } = chosen
  if (waiting.length === 0) throw new Problem(409, `${describeState(chosen)} It can be halted, not moved.`)
  const timeZones = new Set(waiting.flatMap(({ time_zone_histories }) => time_zone_histories.map(currentTimeZone)))
  // The time is checked in UTC where there is no clock, as zones have no host PC.
  checkTime(input, timeZones.size > 0 ? [...timeZones] : ['UTC'], Date.now())
  const moving = waiting.filter((part) => part.start_date !== date || part.update_time !== updateTime)
  const time = `${formatBlocked({ from: date, to: date })}, ${updateTime}`
  if (moving.length > 0) {
    await updateStart(
      db,
      params.organizationId,
      moving.map(({ id }) => id),
      input,
    )
    const share = formatShare(moving, rollout)
    await recordRolloutChange(
      call,
      { ...rollout, parts: moving },
      { change_type: 'moveRollout', new_value: share === '' ? time : `${time}, ${share}` },
    )
    await notifyHosts(call, new Set(moving.map(({ public_zone_id }) => public_zone_id)))
  }
  return { message: `Moved ${rollout.title} to ${time}.${formatUnchanged(chosen)}` }
}

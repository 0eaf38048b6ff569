import type { ChangeType } from '@lectern/contract/audit/changes.ts'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { permissionsFor, rolloutTitle, type SafetyLimitInput } from '@lectern/contract/rollouts.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import { emitEvent, notifyProgress } from '../events/events.ts'
import type { Database } from '../lib/database/database.ts'
import { lacking, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { openRollout, publish } from '../publications/publications.ts'
import { insertRetries, lockZones, updateHalted } from './changes-sql.ts'
import { deleteFormer, deleteResumed, insertHalts, lockLimits, updateLaterLimits, updateLimits, updateResumed } from './limits-sql.ts'
import { recordHalts, toContent, toPrevious } from './rollouts.ts'
import { type PartRow, selectParts, selectRollout } from './sql.ts'

/** Who changes a rollout, which, and from where. */
interface Change {
  db: Database
  caller: Person
  origin: { address: string; requestId: string }
  params: { organizationId: string; id: string }
}

interface Changed {
  id: string
  title: string
  parts: PartRow[]
}

/** A rollout that somebody may change: whoever may publish what it holds. */
async function changeable({ db, caller, params }: Change): Promise<Changed> {
  const row = await selectRollout(db, params.organizationId, params.id)
  if (!row) throw notFound('rollout')
  const parts = await selectParts(db, [row.id])
  const contents = parts.map(toContent)
  const missing = lacking(caller, permissionsFor(contents.map(({ kind }) => kind)))
  if (missing) throw new Problem(403, `This needs the permission ${missing}.`)
  return { id: row.id, title: rolloutTitle(contents), parts }
}

const isCurrent = (part: PartRow): part is PartRow & { zone_id: string } => part.replaced_at === null && part.zone_id !== null

/** Throws a Problem where something newer was published for every zone and model of a rollout. */
function listCurrent({ parts }: Changed): (PartRow & { zone_id: string })[] {
  const current = parts.filter(isCurrent)
  if (current.length === 0) throw new Problem(409, 'Something newer was published since. This rollout has no readers left to serve.')
  return current
}

function record({ db, caller, origin, params }: Change, rollout: Changed, change_type: ChangeType, new_value: string): Promise<void> {
  const zones = new Set(rollout.parts.map(({ zone_name }) => zone_name))
  const zone_name = zones.size === 1 ? rollout.parts[0]!.zone_name : null
  return recordChange(
    db,
    { caller, origin },
    { organization_id: params.organizationId, change_type, target: rollout.title, zone_name, new_value },
  )
}

async function notifyHosts({ db, params }: Change, zones: Iterable<string>): Promise<void> {
  for (const zone_id of zones) await emitEvent(db, { organization_id: params.organizationId, zone_id, kind: 'desired' })
}

/** Lets no further reader begin; those that are being written to are finished. Halted again it stays halted. */
export async function haltRollout(change: Change): Promise<{ message: string }> {
  const rollout = await changeable(change)
  listCurrent(rollout)
  const zones = await updateHalted(change.db, rollout.id, { by: change.caller.userId })
  if (zones.length > 0) {
    await record(change, rollout, 'haltRollout', rollout.id)
    await notifyHosts(change, zones)
  }
  return { message: `Halted ${rollout.title}.` }
}

/** Lets a halted rollout go on. What its safety limit has halted goes on beyond the limit, which halts it no more until it is changed. */
export async function resumeRollout(change: Change): Promise<{ message: string }> {
  const rollout = await changeable(change)
  const current = listCurrent(rollout).map(({ zone_id }) => zone_id)
  const byHand = await updateHalted(change.db, rollout.id, null)
  const zones = new Set([...byHand, ...(await overrideLimit(change.db, rollout.id, { byHand, current }))])
  if (zones.size > 0) {
    await record(change, rollout, 'resumeRollout', rollout.id)
    await notifyHosts(change, zones)
  }
  return { message: `Resumed ${rollout.title}.` }
}

/**
 * Lets the zones that the limit has halted go on beyond it, and those others that were halted and have exceeded it by now: by hand, or by a former
 * limit. Answers the zones that were not halted by hand.
 */
async function overrideLimit(db: Database, rolloutId: string, zones: { byHand: string[]; current: string[] }): Promise<string[]> {
  const former = await deleteFormer(db, rolloutId, (await lockLimits(db, rolloutId)).halt_above_percent)
  const passed = await updateResumed(db, rolloutId, zones.current)
  await insertHalts(db, [rolloutId], { zones: [...zones.byHand, ...former], isResumed: true })
  return [...former, ...passed]
}

/** Sets the safety limits of a rollout, and if wanted those of its organization's later ones. What exceeds them already is halted at once. */
export async function setSafetyLimit(
  change: Change,
  { haltAbovePercent, stopTime, forLater }: SafetyLimitInput,
): Promise<{ message: string }> {
  const { db, origin, params } = change
  const rollout = await changeable(change)
  const former = await lockLimits(db, rollout.id)
  const limits = { halt_above_percent: haltAbovePercent, stop_time: stopTime }
  const isNewLimit = former.halt_above_percent !== haltAbovePercent
  const isNewTime = former.stop_time !== stopTime
  const isNewForLater = forLater && (await updateLaterLimits(db, params.organizationId, limits))
  if (isNewLimit || isNewTime) await updateLimits(db, rollout.id, limits)
  if (isNewLimit || isNewTime || isNewForLater) {
    const stop = stopTime === null ? (isNewTime ? ['no stop time'] : []) : [`no new readers from ${stopTime} on`]
    const said = [haltAbovePercent === null ? 'none' : `${haltAbovePercent}%`, ...stop, ...(forLater ? ['also for later rollouts'] : [])]
    await record(change, rollout, 'setSafetyLimit', said.join(', '))
  }
  if (isNewLimit) {
    await deleteResumed(db, rollout.id)
    await recordHalts(db, params.organizationId, origin, await insertHalts(db, [rollout.id]))
  }
  const zones = new Set(rollout.parts.filter(isCurrent).map(({ zone_id }) => zone_id))
  if (isNewTime) await notifyHosts(change, zones)
  const [watched] = zones
  if (watched && (isNewLimit || isNewTime)) await notifyProgress(db, { organizationId: params.organizationId, zoneId: watched })
  // One that is the update time ends nothing.
  const isEnd = rollout.parts.some(({ update_time }) => update_time !== stopTime)
  return { message: describeLimits(haltAbovePercent, isEnd ? stopTime : null) }
}

/** What is in force from now on, in words. */
function describeLimits(percent: number | null, stopTime: string | null): string {
  const limit = percent === null ? 'No zone is halted by itself.' : `A zone is halted when more than ${percent}% of its readers failed.`
  return stopTime === null ? limit : `${limit} No further reader begins from ${stopTime} on.`
}

const formatReaders = (count: number) => (count === 1 ? '1 reader' : `${count} readers`)

/** Has all readers that failed given it once more. */
export async function retryRollout(change: Change): Promise<{ message: string }> {
  const rollout = await changeable(change)
  listCurrent(rollout)
  const retries = await insertRetries(change.db, rollout.id, change.caller.userId)
  const count = retries.reduce((sum, { readers }) => sum + readers, 0)
  if (count === 0) throw new Problem(409, 'No reader has failed that could be tried again.')
  await record(change, rollout, 'retryRollout', String(count))
  const zones = retries.map(({ zone_id }) => zone_id)
  await notifyHosts(change, zones)
  return { message: `${formatReaders(count)} will be tried again as soon as the host PC hears of it.` }
}

/** Publishes what readers had before, as a new rollout: at once, or at an update time. What has no former revision, or was replaced, is left out. */
export async function rollBackRollout(change: Change, updateTime: string | null): Promise<{ id: string; message: string }> {
  const { db, caller, origin, params } = change
  await lockZones(db, params.id)
  const rollout = await changeable(change)
  const wanted = listCurrent(rollout).flatMap((part) => {
    const previous = toPrevious(part)
    return previous ? [{ part, previous }] : []
  })
  if (wanted.length === 0) throw new Problem(409, 'There is nothing to roll back to: nothing was published for these readers before.')
  const id = uuidv7()
  await openRollout(db, { id, organizationId: params.organizationId, userId: caller.userId, rollsBack: rollout.id })
  for (const { part, previous } of wanted) {
    await publish(
      db,
      {
        caller,
        origin,
        params: { organizationId: params.organizationId, location: part.zone_id, device: part.device_type as UpdateModel },
        updateTime: updateTime ?? part.update_time,
        atOnce: updateTime === null,
        rollout: id,
      },
      {
        kind: previous.content,
        content: { hash: previous.content_hash, size: previous.size },
        fileName: previous.file_name,
        ...(previous.version !== null && { version: previous.version }),
        label: toContent(previous).name,
      },
    )
  }
  await record(change, rollout, 'rollBackRollout', id)
  return { id, message: `Published ${rolloutTitle(wanted.map(({ previous }) => toContent(previous)))} again.` }
}

import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import type { RepairPlan } from '@lectern/contract/publications/repairs.ts'
import type { SafetyLimitInput } from '@lectern/contract/publications/safety-limit.ts'
import { permissionsFor, rolloutTitle } from '@lectern/contract/rollouts/rollouts.ts'
import { formatNames, zonesInSentence } from '@lectern/contract/text/names.ts'
import { counted, nounOfUpdates } from '@lectern/contract/text/numbers.ts'
import { type Change, recordChange } from '../audit/audit.ts'
import { emitDesired, notifyProgress } from '../events/events.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { findMissingPermission, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { overrideGate } from '../phases/phases.ts'
import { previewRepair, requireShown } from '../publications/publications.ts'
import {
  deletePreviousHalts,
  deleteResumed,
  insertHalts,
  insertResumed,
  lockLimits,
  updateHaltedBy,
  updateLaterLimits,
  updateLimits,
  updateResumed,
} from './halts-sql.ts'
import { findHaltedAt, toContent } from './parts.ts'
import { selectTargets, type TargetRow } from './parts-sql.ts'
import { insertRetries, retriedReaders } from './readers-sql.ts'
import { formatTarget, recordHalts } from './rollouts.ts'
import { lockPublications, type ScopedRollout, selectRollout, updateName } from './sql.ts'

export interface Call {
  db: Database
  actor: Actor<Person>
  params: ScopedRollout
}

export interface ChangeableRollout extends ScopedRollout {
  /** The rollout's name in messages. */
  title: string
  /** The rollout's name in the audit log. */
  target: string
  zoneWords: string | undefined
  parts: TargetRow[]
  hasOtherZones: boolean
  hasSimulated: boolean
}

/** Returns a rollout that the caller may change. Throws a Problem 404 without it, 403 unless the caller may publish all of its kinds of content. */
export async function getChangeable({ db, actor, params }: Call): Promise<ChangeableRollout> {
  const row = await selectRollout(db, params)
  if (!row) throw notFound('rollout')
  const parts = await selectTargets(db, params, [row.id])
  const contents = parts.map(toContent)
  const missing = findMissingPermission(actor.caller, permissionsFor(contents.map(({ kind }) => kind)))
  if (missing) throw new Problem(403, `This needs the permission ${quotePermissions([missing])}.`)
  const head = { title: rolloutTitle(contents), name: row.name ?? undefined }
  return {
    ...params,
    title: head.name ?? head.title,
    target: formatTarget(head)!,
    zoneWords: row.has_other_zones ? undefined : (row.zone_words ?? undefined),
    parts,
    hasOtherZones: row.has_other_zones,
    hasSimulated: row.has_simulated,
  }
}

export type Current<Part extends TargetRow> = Part & { zone_id: number; public_zone_id: string }

const isCurrent = <Part extends TargetRow>(part: Part): part is Current<Part> => part.replaced_at === null && part.zone_id !== null

export const refuseReplaced = (): Problem => new Problem(409, 'Newer publications replace all of this rollout.')

/** Returns the parts that are still desired. Throws a Problem 409 where none is. */
export function requireCurrent<Part extends TargetRow>({ parts }: { parts: readonly Part[] }): Current<Part>[] {
  const current = parts.filter(isCurrent)
  if (current.length === 0) throw refuseReplaced()
  return current
}

type RolloutChange = Pick<Change, 'change_type' | 'new_value' | 'simulated' | 'rollout_id'>

// The most zones that an entry of the audit log names.
const zonesInEntry = 3

/** Writes an entry of the audit log. For a role limited to some of the rollout's zones, it names these zones alone (RIT-06). */
export function recordRolloutChange({ db, actor, params }: Call, rollout: ChangeableRollout, change: RolloutChange): Promise<void> {
  const zones = [...new Set(rollout.parts.flatMap((part) => part.zone_name ?? []))]
  const zone_name = zones.length === 1 ? zones[0]! : null
  const named = rollout.hasOtherZones ? formatNames(zones, zonesInEntry) : rollout.zoneWords && zonesInSentence(rollout.zoneWords)
  const where = named && zones.length > 1 ? ` in ${named}` : ''
  return recordChange(db, actor, { organization_id: params.organizationId, target: `${rollout.target}${where}`, zone_name, ...change })
}

const pickZones = (rollout: ChangeableRollout, zones: ReadonlySet<number>): ChangeableRollout => ({
  ...rollout,
  parts: rollout.hasOtherZones ? rollout.parts.filter(({ zone_id }) => zone_id !== null && zones.has(zone_id)) : rollout.parts,
})

const notifyHostsByZone = (call: Call, { parts }: ChangeableRollout, zones: ReadonlySet<number>): Promise<void> =>
  notifyHosts(call, new Set(parts.filter(isCurrent).flatMap((part) => (zones.has(part.zone_id) ? [part.public_zone_id] : []))))

export const notifyHosts = ({ db, params }: Call, zones: Iterable<string>): Promise<void> => emitDesired(db, params.organizationId, zones)

export async function haltRollout(call: Call): Promise<{ message: string }> {
  const rollout = await getChangeable(call)
  requireCurrent(rollout)
  const zones = new Set(await updateHaltedBy(call.db, rollout, call.actor.caller.userId))
  if (zones.size > 0) {
    await recordRolloutChange(call, pickZones(rollout, zones), { change_type: 'haltRollout', new_value: rollout.id })
    await notifyHostsByZone(call, rollout, zones)
  }
  return { message: `Halted ${rollout.title}.` }
}

/** Resumes what users, the safety limit and a gate have halted. The limit does not halt a resumed zone again until it is changed. */
export async function resumeRollout(call: Call): Promise<{ message: string }> {
  const rollout = await getChangeable(call)
  const current = requireCurrent(rollout).map(({ zone_id }) => zone_id)
  const byHand = await updateHaltedBy(call.db, rollout, null)
  const byGate = !rollout.hasOtherZones && (await overrideGate(call.db, rollout))
  const byLimit = await overrideLimit(call.db, rollout, { byHand, current })
  const zones = new Set([...byHand, ...byLimit, ...(byGate ? current : [])])
  const isHeldByGate = rollout.hasOtherZones && rollout.parts.some((part) => isCurrent(part) && part.gate_at !== null)
  if (isHeldByGate && zones.size === 0)
    throw new Problem(403, 'Your role is limited to zones. The gate that halted this rollout also holds for others.')
  if (zones.size > 0) {
    await recordRolloutChange(call, pickZones(rollout, zones), { change_type: 'resumeRollout', new_value: rollout.id })
    await notifyHostsByZone(call, rollout, zones)
  }
  const gate = isHeldByGate ? ' The gate that halted it still holds: your role is limited to zones, and it also holds for others.' : ''
  return { message: `Resumed ${rollout.title}.${gate}` }
}

/**
 * Resumes the zones that a safety limit halted, and returns them. `byHand`: zones that were halted by hand and go on now, beyond the limit
 * too.
 */
async function overrideLimit(db: Database, rollout: ScopedRollout, zones: { byHand: number[]; current: number[] }): Promise<number[]> {
  const { halt_above_percent } = await lockLimits(db, rollout)
  const byPreviousLimit = await deletePreviousHalts(db, rollout, halt_above_percent)
  const byLimit = await updateResumed(db, rollout, zones.current)
  await insertResumed(db, rollout, [...zones.byHand, ...byPreviousLimit])
  return [...byPreviousLimit, ...byLimit]
}

function refuseOtherZones({ zones, hasOtherZones }: ChangeableRollout, forLater: boolean): void {
  const limited = 'Your role is limited to zones.'
  if (hasOtherZones) throw new Problem(403, `${limited} The limits of this rollout also hold for others.`)
  if (zones !== null && forLater) throw new Problem(403, `${limited} You cannot set limits for all later rollouts.`)
}

/** Sets limit and stop time. Zones that exceed the new limit are halted at once. */
export async function setSafetyLimit(call: Call, input: SafetyLimitInput): Promise<{ message: string }> {
  const { db, actor, params } = call
  const { haltAbovePercent, stopTime, forLater } = input
  const rollout = await getChangeable(call)
  refuseOtherZones(rollout, forLater)
  const previous = await lockLimits(db, rollout)
  const limits = { halt_above_percent: haltAbovePercent, stop_time: stopTime }
  const isNewLimit = previous.halt_above_percent !== haltAbovePercent
  const isNewTime = previous.stop_time !== stopTime
  const isNew = isNewLimit || isNewTime
  const isNewForLater = forLater && (await updateLaterLimits(db, params.organizationId, limits))
  if (isNew) await updateLimits(db, rollout, limits)
  if (isNew || isNewForLater)
    await recordRolloutChange(call, rollout, { change_type: 'setSafetyLimit', new_value: formatLimits(input, isNewTime) })
  if (isNewLimit) {
    await deleteResumed(db, rollout)
    await recordHalts(db, actor, params.organizationId, await insertHalts(db, params.organizationId, [rollout.id]))
  }
  const zones = new Set(rollout.parts.filter(isCurrent).map(({ public_zone_id }) => public_zone_id))
  if (isNewTime) await notifyHosts(call, zones)
  if (isNew) await notifyPages(call, rollout)
  // A stop time equal to the update time stops nothing.
  const doesStop = rollout.parts.some(({ update_time }) => update_time !== stopTime)
  return { message: describeLimits(haltAbovePercent, doesStop ? stopTime : null) }
}

/** Makes open pages of the rollout read it again. One notice is enough, for any of its zones. */
async function notifyPages({ db, params }: Call, { parts }: ChangeableRollout): Promise<void> {
  const zoneId = parts.find(({ public_zone_id }) => public_zone_id !== null)?.public_zone_id
  if (zoneId) await notifyProgress(db, { organizationId: params.organizationId, zoneId })
}

/** `name`: null removes the name. Changes nothing where the rollout has this name already. */
export async function nameRollout(call: Call, name: string | null): Promise<{ message: string }> {
  const { db } = call
  const rollout = await getChangeable(call)
  if (rollout.hasOtherZones) throw new Problem(403, 'Your role is limited to zones. The name of this rollout also holds for others.')
  if (await updateName(db, rollout, name)) {
    await recordRolloutChange(call, rollout, { change_type: 'nameRollout', new_value: name ?? '' })
    await notifyPages(call, rollout)
  }
  return { message: name === null ? 'The rollout has no name now.' : `The rollout is called ${name}.` }
}

/** Returns the text for the audit log: "5%, no new readers from 05:00 on". */
function formatLimits({ haltAbovePercent, stopTime, forLater }: SafetyLimitInput, isNewTime: boolean): string {
  const values = [haltAbovePercent === null ? 'none' : `${haltAbovePercent}%`]
  if (stopTime !== null) values.push(`no new readers from ${stopTime} on`)
  else if (isNewTime) values.push('no stop time')
  if (forLater) values.push('also for later rollouts')
  return values.join(', ')
}

function describeLimits(percent: number | null, stopTime: string | null): string {
  const limit = percent === null ? 'No zone halts automatically.' : `A zone halts when more than ${percent}% of its readers fail.`
  return stopTime === null ? limit : `${limit} No reader starts from ${stopTime} on.`
}

interface Repair extends Call {
  settings: { minBattery: number }
}

const toRepair = ({ settings }: Repair, rollout: ScopedRollout) => ({
  organizationId: rollout.organizationId,
  readers: retriedReaders(rollout),
  minBattery: settings.minBattery,
  of: 'rollout' as const,
})

const refuseNoRetry = (): Problem => new Problem(409, 'There is no failed reader to retry.')

/** Returns the dry run of a retry. Throws the Problems of the retry itself. */
export async function previewRetry(call: Repair): Promise<RepairPlan> {
  const rollout = await getChangeable(call)
  requireCurrent(rollout)
  const plan = await previewRepair(call.db, toRepair(call, rollout))
  if (plan.models.length === 0) throw refuseNoRetry()
  return plan
}

export async function retryRollout(call: Repair, expected: RepairPlan | undefined): Promise<{ message: string }> {
  const rollout = await getChangeable(call)
  // Reports lock these publications when they store outcomes, so nothing changes between the count and the retry.
  await lockPublications(
    call.db,
    rollout.organizationId,
    requireCurrent(rollout).map(({ id }) => id),
  )
  await requireShown(call.db, toRepair(call, rollout), expected)
  const retries = await insertRetries(call.db, rollout, call.actor.caller.userId)
  const count = retries.reduce((sum, { readers }) => sum + readers, 0)
  if (count === 0) throw refuseNoRetry()
  await recordRolloutChange(call, rollout, {
    change_type: 'retryRollout',
    new_value: String(count),
    simulated: rollout.hasSimulated,
  })
  const zones = retries.map(({ zone }) => zone)
  await notifyHosts(call, zones)
  const halted = new Set(rollout.parts.filter((part) => isCurrent(part) && findHaltedAt(part) !== null).map((part) => part.public_zone_id))
  const held = retries.reduce((sum, { zone, readers }) => sum + (halted.has(zone) ? readers : 0), 0)
  const what = counted(count, nounOfUpdates(rollout.parts.filter(isCurrent).map((part) => toContent(part).kind)))
  if (held === count) return { message: `Retrying ${what} once this rollout is resumed.` }
  const later = held === 0 ? '' : `, ${held} of them once their zones are resumed`
  return { message: `Retrying ${what} as soon as the host PC is reached${later}.` }
}

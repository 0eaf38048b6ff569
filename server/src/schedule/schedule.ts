import { isDeepStrictEqual } from 'node:util'
import { always, everOpens, findOpening, isRestricted, mergeOpenTimes, type OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import type { Schedule, WholeSchedule, ZoneSchedule } from '@lectern/contract/schedule/schedule.ts'
import { formatSchedule } from '@lectern/contract/schedule/schedule-words.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { recordChange } from '../audit/audit.ts'
import { emitDesired } from '../events/events.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { wholeOrganization, type ZoneScope } from '../lib/database/zone-scope.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import {
  deleteSchedule,
  lockOrganization,
  selectClocks,
  selectDefaults,
  selectOpenTimes,
  selectSchedules,
  selectServedZones,
  selectZone,
  updateDefaults,
  upsertSchedule,
} from './sql.ts'

export async function getSchedule(db: Database, scope: ZoneScope): Promise<WholeSchedule> {
  const rows = await selectSchedules(db, scope)
  const own = rows.find(({ zone_id }) => zone_id === null)
  const zones = rows.flatMap(({ public_zone_id, zone, windows, blocked_days }) =>
    public_zone_id === null || zone === null ? [] : [{ zoneId: public_zone_id, zone, windows, blockedDays: blocked_days }],
  )
  return { windows: own?.windows ?? [], blockedDays: own?.blocked_days ?? [], zones }
}

interface Call {
  db: Database
  actor: Actor
  params: { organizationId: number }
}

const pick = ({ windows, blockedDays }: ZoneSchedule): ZoneSchedule => ({ windows, blockedDays })

const isSame = (one: ZoneSchedule, other: ZoneSchedule): boolean => isDeepStrictEqual(pick(one), pick(other))

/** A zone's own windows may never open together with the organization's blocked days. Throws a Problem 400 then. */
function refuseNeverOpen({ zones, ...organization }: WholeSchedule): void {
  const today = new Date().toISOString().slice(0, 10)
  const closed = zones.find((own) => !everOpens(mergeOpenTimes(organization, own), today))
  if (closed) {
    const message = `In the zone ${closed.zone} no window would open within a year.`
    throw new Problem(400, message, { errors: [{ field: 'windows', message }] })
  }
}

export async function setSchedule(
  { db, actor, params: { organizationId }, unchanged }: Call & { unchanged: (current: Schedule) => Promise<void> },
  schedule: Schedule,
): Promise<WholeSchedule> {
  await lockOrganization(db, organizationId)
  const current = await getSchedule(db, wholeOrganization(organizationId))
  await unchanged(current)
  if (isSame(current, schedule)) return current
  const next = { ...schedule, zones: current.zones }
  refuseNeverOpen(next)
  await upsertSchedule(db, organizationId, null, schedule)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'setSchedule', new_value: formatSchedule(schedule) })
  const zones = await selectServedZones(db, organizationId)
  await emitDesired(
    db,
    organizationId,
    zones.map(({ zoneId }) => zoneId),
  )
  return next
}

export async function setZoneSchedule(
  { db, actor, params: { organizationId, location } }: Call & { params: { location: string } },
  schedule: ZoneSchedule,
): Promise<WholeSchedule> {
  await lockOrganization(db, organizationId)
  const zone = await selectZone(db, organizationId, location)
  if (!zone) throw notFound('zone')
  const current = await getSchedule(db, wholeOrganization(organizationId))
  const none: ZoneSchedule = { windows: null, blockedDays: [] }
  if (isSame(current.zones.find(({ zoneId }) => zoneId === location) ?? none, schedule)) return current
  refuseNeverOpen({ ...current, zones: [{ zoneId: location, zone: zone.name, ...schedule }] })
  if (isSame(schedule, none)) await deleteSchedule(db, organizationId, zone.id)
  else await upsertSchedule(db, organizationId, zone.id, schedule)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'setZoneSchedule',
    zone_name: zone.name,
    new_value: formatSchedule(schedule),
  })
  await emitDesired(db, organizationId, [location])
  return getSchedule(db, wholeOrganization(organizationId))
}

/** Zones grouped by their clocks and windows. */
export async function listClocks(db: Database, organizationId: number, zoneIds: readonly number[]) {
  const clocks = (await selectClocks(db, organizationId, zoneIds)).map(({ time_zones, open_times }) => ({
    timeZones: time_zones,
    openTimes: open_times ?? always,
  }))
  return [...new Map(clocks.map((clock) => [JSON.stringify(clock), clock])).values()]
}

export const getOpenTimes = async (db: Database, organizationId: number, zoneId: number): Promise<OpenTimes> =>
  (await selectOpenTimes(db, organizationId, zoneId)) ?? always

/**
 * Throws a Problem 409 where a window of one of the zones is closed now, on one of its clocks. `hasPhases`: also where a zone has windows
 * or blocked days at all, as "now" holds in later phases too, whenever these begin.
 */
export async function requireOpen(db: Database, organizationId: number, zoneIds: readonly number[], hasPhases: boolean): Promise<void> {
  const now = Date.now()
  for (const { zone, time_zones, open_times } of await selectClocks(db, organizationId, zoneIds)) {
    if (!open_times) continue
    const timeZone = time_zones.find((each) => findOpening(now, open_times, each) > now)
    if (timeZone) {
      const opens = new Date(findOpening(now, open_times, timeZone)).toLocaleString('en-GB', {
        timeZone,
        dateStyle: 'medium',
        timeStyle: 'short',
      })
      throw refuseNow(`Now is outside the maintenance windows of ${zone}, which open on ${opens} (${timeZone}).`)
    }
    if (hasPhases && isRestricted(open_times))
      throw refuseNow(`Started now, its later phases would not keep to the maintenance windows and blocked days of ${zone}.`)
  }
}

function refuseNow(message: string): Problem {
  const detail = `${message} To start all the same, set "outsideWindow" to "allowed".`
  return new Problem(409, detail, { errors: [{ field: 'outsideWindow', message }] })
}

export async function getPublishingDefaults(db: Database, organizationId: number): Promise<PublishingDefaults> {
  const { halt_above_percent, stop_time, phases } = await selectDefaults(db, organizationId)
  return { haltAbovePercent: halt_above_percent, stopTime: stop_time, phases }
}

export async function setPublishingDefaults(
  { db, actor, params: { organizationId }, unchanged }: Call & { unchanged: (current: PublishingDefaults) => Promise<void> },
  defaults: PublishingDefaults,
): Promise<PublishingDefaults> {
  await lockOrganization(db, organizationId)
  const current = await getPublishingDefaults(db, organizationId)
  await unchanged(current)
  if (isDeepStrictEqual(current, defaults)) return current
  await updateDefaults(db, organizationId, defaults)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'setPublishingDefaults',
    new_value: formatDefaults(defaults),
  })
  return getPublishingDefaults(db, organizationId)
}

// Text "5%, no new readers from 05:00 on, 2 phases before the rest".
function formatDefaults({ haltAbovePercent, stopTime, phases }: PublishingDefaults): string {
  const values = [haltAbovePercent === null ? 'no safety limit' : `${haltAbovePercent}%`]
  if (stopTime !== null) values.push(`no new readers from ${stopTime} on`)
  if (phases.length > 0) values.push(`${counted(phases.length, 'phase')} before the rest`)
  return values.join(', ')
}

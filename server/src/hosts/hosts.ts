import {
  type CheckedIn,
  type CheckIn,
  type Desired,
  type DesiredConfiguration,
  type DesiredFirmware,
  type Enrolled,
  type Enrollment,
  type Progress,
  ReportedDevice,
  simulatedDriver,
} from '@lectern/contract/hosts.ts'
import { checkEach, readRefusedText } from '@lectern/contract/http/check-each.ts'
import { findLastChange, plannedStart } from '@lectern/contract/publications/time-zone-history.ts'
import { formatDate, wallClock } from '@lectern/contract/publications/zone-clock.ts'
import { always, listDaysWithin, type OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { SerialNumber } from '@lectern/contract/text/serial-number.ts'
import { uuidv7 } from 'uuidv7'
import { countToday, recordChange, recordChangesBy, recordMoves } from '../audit/audit.ts'
import { type StoredReports, storeReportedNames, storeReports } from '../devices/devices.ts'
import { emitDesired, emitEvent } from '../events/events.ts'
import { countReaders } from '../graphs/graphs.ts'
import type { Actor } from '../lib/actor.ts'
import { type Database, inTransaction } from '../lib/database/database.ts'
import type { Host, Licence } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Quotas, Settings } from '../lib/settings.ts'
import { getVendorKeys, holdLicence } from '../licences/licences.ts'
import { listDesiredConfigurations, listDesiredFirmware, listOpenReapplications, listReturns } from '../publications/publications.ts'
import { checkHosts, checkNewNames, checkNewReaders } from '../quotas/quotas.ts'
import { giveBackLate } from '../rollouts/rollouts.ts'
import { getOpenTimes } from '../schedule/schedule.ts'
import { readClockAhead } from './outcomes.ts'
import {
  type Handed,
  insertHandedOut,
  insertHost,
  revokeReplaced,
  selectHandedOut,
  selectHost,
  selectZone,
  selectZoneName,
  updateHostFacts,
  upsertProgress,
} from './sql.ts'

export async function findHostByCredential(db: Database, credentialHash: string) {
  const row = await selectHost(db, credentialHash)
  return (
    row && {
      hostId: row.id,
      organizationId: row.organization_id,
      zoneId: row.zone_id,
      publicZoneId: row.public_zone_id,
      name: row.name,
      timeZone: row.time_zone,
      timeZoneHistory: row.time_zone_history,
      agentVersion: row.agent_version,
      driver: row.driver,
      onTwoPcs: row.on_two_pcs_at !== null,
      revokedAt: row.revoked_at,
    }
  )
}

/** Throws a Problem 403 for a host with simulated readers on a portal in production (AGT-04). */
export function refuseSimulated(
  { production }: Pick<Settings, 'production'>,
  { driver }: { driver?: string | null | undefined },
  remedy = 'Run the agent with --driver serial.',
): void {
  if (production && driver === simulatedDriver) throw new Problem(403, `This portal takes no simulated readers. ${remedy}`)
}

/**
 * The same credential gets the same host again, so an agent that lost the reply may repeat its call. Throws a Problem 404 where the zone is not of
 * the licence's organization, 403 where the licence was revoked, 409 where the credential belongs to another zone or a removed host.
 */
export async function enrollHost(db: Database, actor: Actor<Licence>, enrollment: Enrollment, quotas: Quotas): Promise<Enrolled> {
  const { organizationId, licenceId } = actor.caller
  const licence = await holdLicence(db, actor.caller)
  const zone = await selectZone(db, organizationId, enrollment.zoneId).forKeyShare().executeTakeFirst()
  if (!zone) throw new Problem(404, 'This licence number does not belong to the zone of this location file, or the zone was deleted.')
  const host = {
    public_id: uuidv7(),
    organization_id: organizationId,
    zone_id: zone.id,
    licence_id: licenceId,
    name: enrollment.hostName,
    time_zone: enrollment.timeZone,
    agent_version: enrollment.agentVersion,
    driver: enrollment.driver ?? null,
  }
  const isNew = await insertHost(db, host, enrollment.credentialHash)
  const stored = await selectHost(db, enrollment.credentialHash)
  if (!stored || stored.zone_id !== zone.id || stored.revoked_at !== null)
    throw new Problem(409, 'This credential was used before. Enroll with a new one.')
  const enrolled = { hostId: stored.public_id, organizationId: stored.public_organization_id, zoneName: zone.name }
  if (!isNew) {
    const was = {
      organizationId,
      hostId: stored.id,
      name: stored.name,
      timeZone: stored.time_zone,
      agentVersion: stored.agent_version,
    }
    const is = { name: enrollment.hostName, timeZone: enrollment.timeZone, agentVersion: enrollment.agentVersion }
    if (await recordFacts(db, actor, was, is)) {
      await updateHostFacts(db, was, { name: is.name, time_zone: is.timeZone, agent_version: is.agentVersion })
      if (was.timeZone !== is.timeZone) await emitPlanned(db, { organizationId, publicZoneId: enrollment.zoneId })
    }
    return { ...enrolled, vendorKeys: await getVendorKeys(db) }
  }
  if (enrollment.replaces !== undefined) await removeReplaced(db, actor, enrollment.replaces)
  await checkHosts(db, organizationId, quotas)
  await recordChangesBy(db, { ...actor, initiator: null, hostName: enrollment.hostName }, [
    {
      organization_id: organizationId,
      change_type: 'enrolHost',
      target: enrollment.hostName,
      new_value: licence,
      zone_name: zone.name,
      simulated: enrollment.driver === simulatedDriver,
    },
  ])
  await emitEvent(db, { organization_id: organizationId, zone_id: enrollment.zoneId, kind: 'hosts' })
  return { ...enrolled, vendorKeys: await getVendorKeys(db) }
}

/** Removes the host that two PCs check in as: each of them is enrolled by itself from now on. */
async function removeReplaced(db: Database, actor: Actor<Licence>, credentialHash: string): Promise<void> {
  const { organizationId } = actor.caller
  const removed = await revokeReplaced(db, organizationId, credentialHash)
  if (!removed) return
  await recordChangesBy(db, { ...actor, initiator: null, hostName: removed.name }, [
    {
      organization_id: organizationId,
      change_type: 'removeHost',
      target: removed.name,
      zone_name: removed.zoneName,
      simulated: removed.driver === simulatedDriver,
    },
  ])
  await emitEvent(db, { organization_id: organizationId, zone_id: removed.zoneId, kind: 'hosts' })
}

type Facts = Pick<Host, 'name' | 'timeZone' | 'agentVersion'>

const factWords: Record<keyof Facts, string> = { name: 'its name', timeZone: 'its time zone', agentVersion: 'the version of its app' }

const mostFactEntries = 10

/**
 * Records what a host PC reports of itself in the audit log: at most 10 entries a day, the last of which says that no more follow (INP-05).
 * Returns whether anything differs.
 */
async function recordFacts(db: Database, actor: Actor, was: Facts & Pick<Host, 'organizationId' | 'hostId'>, is: Facts): Promise<boolean> {
  const names = (Object.keys(factWords) as (keyof Facts)[]).filter((name) => was[name] !== is[name])
  if (names.length === 0) return false
  const { organizationId, hostId } = was
  const target = String(hostId)
  const amount = await countToday(db, organizationId, 'changeHost', target)
  const changes = names.map((name) => `${factWords[name]} is ${is[name]}, and was ${was[name]}`).join('; ')
  const value =
    amount < mostFactEntries ? changes : `it changed more than ${mostFactEntries} times within a day, and more changes are not listed`
  if (amount <= mostFactEntries)
    await recordChangesBy(db, { ...actor, initiator: null, hostName: is.name }, [
      { organization_id: organizationId, change_type: 'changeHost', target, new_value: value },
    ])
  return true
}

/** The zone's runs are planned anew: agents fetch them, and pages show them. */
const emitPlanned = (db: Database, { organizationId, publicZoneId }: Pick<Host, 'organizationId' | 'publicZoneId'>) =>
  emitDesired(db, organizationId, [publicZoneId])

interface Known {
  minBattery: number
  knowsPhases: boolean
  knowsReturns: boolean
  keepsTimes: boolean
  knowsTimeZones: boolean
}

export async function getDesired(db: Database, host: Host, { minBattery, keepsTimes, knowsTimeZones, ...knows }: Known): Promise<Desired> {
  const { organizationId, zoneId } = host
  // Read first, so that a roll back between the two reads does not count as known.
  const zone = await selectZoneName(db, organizationId, zoneId)
  if (!zone) throw notFound('zone')
  if (host.onTwoPcs) return withNothing(host, zone, minBattery)
  const all = await listDesiredConfigurations(db, host, knows)
  const commands = all.filter(({ content }) => content === 'commands')
  const configurations = all.filter(({ content }) => content !== 'commands')
  const reapplications = await listOpenReapplications(db, host)
  const firmware = await listDesiredFirmware(db, host, knows)
  const returns = knows.knowsReturns ? await listReturns(db, host) : { configurations: [], firmware: [] }
  const openTimes = await getOpenTimes(db, organizationId, zoneId)
  await recordHandedOut(db, host, [
    ...[...all, ...firmware, ...returns.configurations, ...returns.firmware].map(({ publication }) => ({ id: publication, publication })),
    ...reapplications.map(({ id, publication }) => ({ id, publication })),
  ])
  const now = new Date()
  const changed = findLastChange(host.timeZoneHistory)
  const isKnown = ({ publishedAt, updateTime }: DatedContent) =>
    (keepsTimes || listDaysWithin(updateTime, openTimes).size === 0) &&
    (knowsTimeZones || changed === null || changed.at < new Date(publishedAt))
  const date = <One extends DatedContent>(some: readonly One[]) =>
    some.map((one) => (one.atOnce || isKnown(one) ? one : withStartDate(one, host, openTimes, now)))
  return {
    zoneId: host.publicZoneId,
    zoneName: zone.name,
    withdrawals: zone.withdrawals,
    configurations: date(configurations),
    reapplications,
    firmware: date(firmware),
    returns: { configurations: date(returns.configurations), firmware: date(returns.firmware) },
    minBattery,
    openTimes,
    timeZoneHistory: host.timeZoneHistory,
    ...(commands.length > 0 && { commands: date(commands) }),
  }
}

/** What is handed out to a host that two PCs check in as: what was handed out before, and waits, is taken back with it (AGT-08). */
const withNothing = (host: Host, zone: { name: string; withdrawals: number }, minBattery: number): Desired => ({
  zoneId: host.publicZoneId,
  zoneName: zone.name,
  withdrawals: zone.withdrawals,
  configurations: [],
  reapplications: [],
  firmware: [],
  returns: { configurations: [], firmware: [] },
  minBattery,
  openTimes: always,
  timeZoneHistory: host.timeZoneHistory,
  onTwoPcs: true,
})

type DatedContent = DesiredConfiguration | DesiredFirmware

/**
 * For agents that do not move the start to the first open day themselves, and would begin with the window of an earlier day (decision 82);
 * and for those that do not plan runs anew on a new time zone (INP-05).
 */
function withStartDate<One extends DatedContent>(one: One, { timeZone, timeZoneHistory }: Host, openTimes: OpenTimes, now: Date): One {
  const start = plannedStart(new Date(one.publishedAt), { ...one, openTimes }, timeZoneHistory, now)
  return { ...one, startDate: formatDate(wallClock(start.getTime(), timeZone)) }
}

/** Must be stored before the reply is sent: only outcomes from then on count. What was handed out before is not written again. */
async function recordHandedOut(db: Database, host: Host, desired: readonly Handed[]): Promise<void> {
  if (desired.length === 0) return
  const known = await selectHandedOut(
    db,
    host,
    desired.map(({ id }) => id),
  )
  const isKnown = new Set(known.filter(({ at }) => at !== null).map(({ id }) => id))
  const handed = desired.filter(({ id }) => !isKnown.has(id))
  if (handed.length > 0) await insertHandedOut(db, host, handed)
}

/** Stores the good readers; a bad one is refused with its index and the reason. Stores none where `since` is not known. */
export async function checkIn(
  db: Database,
  actor: Actor<Host>,
  { devices, driver, sentAt, roundTrip, receivedAt, ...report }: CheckIn & { receivedAt: Date },
  quotas: Quotas,
): Promise<CheckedIn> {
  const host = actor.caller
  const checked = checkEach(ReportedDevice, devices)
  // A reader that occurs twice counts as reported last.
  const accepted = [...new Map(checked.accepted.map((device) => [device.serialNumber, device])).values()]
  const refused = checked.refused.map(({ index, item, reason }) => ({
    index,
    serialNumber: readRefusedText(item, 'serialNumber', 64),
    reason,
  }))
  const names = await storeReportedNames(db, host.organizationId, accepted, (amount) => checkNewNames(db, host, amount, quotas))
  return inTransaction(db, async (transaction) => {
    // A reader with another fault in its report is connected all the same. One whose serial number is refused is not known.
    const named = refused.flatMap(({ serialNumber }) => SerialNumber.safeParse(serialNumber).data ?? [])
    const clockAhead = sentAt === undefined ? null : readClockAhead({ sentAt, roundTrip, receivedAt })
    const about = { ...report, clockAhead, driver: driver ?? null, simulated: driver === simulatedDriver, names, refused: named }
    const { reports: stored, turn } = await storeReports(transaction, host, accepted, about)
    if (turn?.isFound) await recordOnTwoPcs(transaction, actor)
    const ofHost = {
      ...(clockAhead !== null && { clockAhead }),
      ...(turn && { sequence: turn.last }),
      ...(turn?.isBehind && { isBehind: true as const }),
      ...(turn?.onTwoPcs && { onTwoPcs: true as const }),
    }
    // Stored in the transaction of the report, also where the host has to send all its readers.
    await recordFacts(transaction, actor, host, { name: host.name, timeZone: report.timeZone, agentVersion: report.agentVersion })
    if (host.timeZone !== report.timeZone) await emitPlanned(transaction, host)
    if (!stored) return { accepted: 0, refused: [], sendAll: true, ...ofHost }
    await giveBackLate(transaction, host.organizationId, stored.late)
    const added = stored.added + stored.moved.length
    if (added > 0) await checkNewReaders(transaction, host, added, quotas)
    await recordMoved(transaction, actor, stored.moved)
    await countReaders(transaction, host.organizationId, stored.seen)
    return { accepted: accepted.length, refused, ...ofHost }
  })
}

async function recordOnTwoPcs(db: Database, actor: Actor<Host>): Promise<void> {
  const { organizationId, zoneId, publicZoneId, name } = actor.caller
  const zone = await selectZoneName(db, organizationId, zoneId)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'hostOnTwoPcs',
    target: name,
    zone_name: zone?.name ?? null,
  })
  // Agents fetch what they are handed now, which is nothing, and pages show the mark.
  await emitEvent(db, { organization_id: organizationId, zone_id: publicZoneId, kind: 'hosts' })
}

async function recordMoved(db: Database, actor: Actor<Host>, moved: StoredReports['moved']): Promise<void> {
  if (moved.length === 0) return
  const { organizationId, zoneId, name } = actor.caller
  const zone = await selectZoneName(db, organizationId, zoneId)
  const moves = moved.map(({ serialNumber, hostName, zoneName }) => ({
    organization_id: organizationId,
    change_type: 'moveDevice' as const,
    device_serial: serialNumber,
    target: hostName === null ? null : `${hostName}${zoneName === null ? '' : ` in ${zoneName}`}`,
    new_value: name,
    zone_name: zone?.name ?? null,
  }))
  await recordMoves(db, actor, moves)
}

export async function reportProgress(db: Database, host: Host, progress: readonly Progress[]): Promise<void> {
  const last = new Map(progress.map((one) => [`${one.publication} ${one.serialNumber ?? ''}`, one]))
  await upsertProgress(db, host, [...last.values()])
}

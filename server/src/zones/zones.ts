import { isDeepStrictEqual } from 'node:util'
import type { Attached, AttachedDialect } from '@lectern/contract/devices/attached.ts'
import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { simulatedDriver } from '@lectern/contract/hosts.ts'
import { clockTolerance } from '@lectern/contract/publications/clock-ahead.ts'
import { cleanName } from '@lectern/contract/text/clean-name.ts'
import { isVisible, unusableName } from '@lectern/contract/text/text.ts'
import { type Zone, type ZoneHost, type ZoneOverview, zoneName } from '@lectern/contract/zones.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange, recordChanges } from '../audit/audit.ts'
import { emitEvent, emitEvents } from '../events/events.ts'
import type { Actor } from '../lib/actor.ts'
import { type Database, sqlState, uniqueViolation } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { OrganizationIds } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { endZonePublications } from '../publications/publications.ts'
import {
  countZoneHosts,
  deleteZoneRow,
  insertZone,
  revokeHost,
  revokeHostsOfLicence,
  selectHostNames,
  selectZone,
  selectZoneById,
  selectZoneHosts,
  selectZoneReaders,
  updateZoneNote,
} from './sql.ts'

export const toZone = (
  { publicId }: OrganizationIds,
  { public_id, name, note, tags }: { public_id: string; name: string; note: string; tags: readonly string[] },
): Zone => ({
  id: public_id,
  name,
  organizationId: publicId,
  ...(note !== '' && { note }),
  ...(tags.length > 0 && { tags: [...tags] }),
})

/** The name is trimmed and cut to its byte limit. Throws a Problem 400 for a blank or unusable name, 409 for a duplicate (spec §5). */
export async function createZone(db: Database, actor: Actor, organization: OrganizationIds, text: string): Promise<Zone> {
  const name = zoneName(text, organization.publicId)
  if (!isVisible(name)) throw new Problem(400, 'Enter a name for the zone.')
  const refusal = unusableName(cleanName(text))
  if (refusal) throw new Problem(400, refusal)
  const id = uuidv7()
  const organizationId = organization.id
  try {
    await insertZone(db, { public_id: id, organization_id: organizationId, name })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new Problem(409, `There is already a zone named "${name}".`)
    throw error
  }
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'ZoneCreate', zone_name: name, target: id })
  await emitEvent(db, { organization_id: organizationId, zone_id: id, kind: 'zones' })
  return { id, name, organizationId: organization.publicId }
}

interface ZoneNote extends ZoneScope {
  location: string
  organization: OrganizationIds
  note: string
}

/** The same note again changes nothing. */
export async function setZoneNote(db: Database, actor: Actor, { location, organization, note, ...scope }: ZoneNote): Promise<Zone> {
  const zone = await selectZone(db, scope, location).forUpdate().executeTakeFirst()
  if (!zone) throw notFound('zone')
  if (note === zone.note) return toZone(organization, zone)
  await updateZoneNote(db, scope.organizationId, zone.id, note)
  await recordChange(db, actor, {
    organization_id: scope.organizationId,
    change_type: 'setZoneNote',
    zone_name: zone.name,
    target: zone.public_id,
    new_value: note,
  })
  return toZone(organization, { ...zone, note })
}

/** Throws a Problem 409 that names the zone's hosts, if any. */
export async function deleteZone(db: Database, actor: Actor, scope: ZoneScope, publicId: string): Promise<void> {
  const { organizationId } = scope
  const zone = await selectZone(db, scope, publicId).forUpdate().executeTakeFirst()
  if (!zone) throw notFound('zone')
  const hosts = await selectHostNames(db, organizationId, zone.id)
  if (hosts.length > 0) {
    const names = hosts.map(({ name }) => name).join(', ')
    throw new Problem(
      409,
      `The zone "${zone.name}" still has ${hosts.length === 1 ? 'the host PC' : 'the host PCs'} ${names}. Remove ${hosts.length === 1 ? 'it' : 'them'} first.`,
    )
  }
  await endZonePublications(db, organizationId, zone.id)
  await deleteZoneRow(db, organizationId, zone.id)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'ZoneDelete', zone_name: zone.name, target: publicId })
  await emitEvent(db, { organization_id: organizationId, zone_id: publicId, kind: 'zones' })
}

export async function removeHost(db: Database, actor: Actor, scope: ZoneScope, hostId: string): Promise<void> {
  const { organizationId } = scope
  const host = await revokeHost(db, scope, hostId)
  if (!host) throw notFound('host')
  const zone = host.zone_id === null ? undefined : await selectZoneById(db, organizationId, host.zone_id)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'removeHost',
    target: host.name,
    zone_name: zone?.name ?? null,
    simulated: host.driver === simulatedDriver,
  })
  await emitEvent(db, { organization_id: organizationId, zone_id: zone?.public_id ?? null, kind: 'hosts' })
}

/** Returns how many hosts were removed. */
export async function removeHostsOfLicence(db: Database, actor: Actor, organizationId: number, licenceId: string): Promise<number> {
  const hosts = await revokeHostsOfLicence(db, organizationId, licenceId)
  const removed = hosts.map(({ name, zoneName, driver }) => ({
    organization_id: organizationId,
    change_type: 'removeHost' as const,
    target: name,
    zone_name: zoneName,
    simulated: driver === simulatedDriver,
  }))
  await recordChanges(db, actor, removed)
  const zones = new Set(hosts.map(({ zoneId }) => zoneId))
  await emitEvents(
    db,
    [...zones].map((zoneId) => ({ organization_id: organizationId, zone_id: zoneId, kind: 'hosts' as const })),
  )
  return hosts.length
}

/** Puts the dialects into those of the zone. They are some kB each, and most host PCs have the same. */
function toAttached({ dialects, ...about }: Attached, overview: ZoneOverview): NonNullable<ZoneHost['attached']> {
  const known = overview.dialects ?? []
  overview.dialects = known
  const findPlace = (dialect: AttachedDialect): number => {
    const place = known.findIndex((one) => isDeepStrictEqual(one, dialect))
    return place < 0 ? known.push(dialect) - 1 : place
  }
  return { ...about, dialects: dialects.map(findPlace) }
}

export async function listZoneOverviews(
  db: Database,
  scope: ZoneScope,
  { hosts, zone }: { hosts?: 'counted' | undefined; zone?: string | undefined },
): Promise<ZoneOverview[]> {
  const overviews = new Map<string, ZoneOverview>()
  const openOverview = (zoneId: string): ZoneOverview => {
    const overview = overviews.get(zoneId) ?? { zoneId, readers: [], hosts: [], ...(hosts && { hostCounts: [] }) }
    overviews.set(zoneId, overview)
    return overview
  }
  for (const row of await selectZoneReaders(db, scope, zone))
    openOverview(row.zone).readers.push({
      deviceType: row.device_type as DeviceModel,
      count: row.total,
      ...(row.simulated > 0 && { simulated: row.simulated }),
    })
  if (hosts)
    for (const row of await countZoneHosts(db, scope, zone))
      openOverview(row.zone).hostCounts!.push({
        timeZone: row.time_zone,
        hosts: row.hosts,
        online: row.online,
        ...(row.least_ahead !== null &&
          row.most_ahead !== null && { wrongClocks: row.wrong_clocks, clocksAhead: [row.least_ahead, row.most_ahead] as [number, number] }),
        ...(row.on_two_pcs > 0 && { onTwoPcs: row.on_two_pcs }),
        ...(row.other_readers > 0 && { otherReaders: row.other_readers }),
        ...(row.simulated && { simulated: true }),
      })
  else
    for (const row of await selectZoneHosts(db, scope, zone))
      openOverview(row.zone).hosts.push({
        id: row.public_id,
        name: row.name,
        timeZone: row.time_zone,
        agentVersion: row.agent_version,
        lastSeen: row.last_seen_at?.toISOString() ?? null,
        isOnline: row.is_online,
        ...(row.driver !== null && { driver: row.driver }),
        ...(row.clock_ahead !== null && Math.abs(row.clock_ahead) > clockTolerance && { clockAhead: row.clock_ahead }),
        ...(row.on_two_pcs_at !== null && { onTwoPcs: true }),
        ...(row.driver === simulatedDriver && { simulated: true }),
        ...(row.attached !== null && { attached: toAttached(JSON.parse(row.attached) as Attached, openOverview(row.zone)) }),
      })
  return [...overviews.values()]
}

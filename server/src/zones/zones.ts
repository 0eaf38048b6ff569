import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { unusableName } from '@lectern/contract/text/text.ts'
import { type Zone, type ZoneOverview, zoneName } from '@lectern/contract/zones.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import { emitEvent } from '../events/events.ts'
import { type Database, sqlState, uniqueViolation } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { endZonePublications } from '../publications/publications.ts'
import { deleteZoneRow, insertZone, revokeHost, selectHostNames, selectZone, selectZoneHosts, selectZoneReaders } from './sql.ts'

/** Who changes something, and from where. */
interface Author {
  caller: { userId: string; email: string }
  origin: { address: string; requestId: string }
}

/** Creates a zone. The name is trimmed and cut to its byte limit; blank, unusable and duplicate names are refused in words (spec §5). */
export async function createZone(db: Database, author: Author, organizationId: string, text: string): Promise<Zone> {
  const refusal = unusableName(text.trim())
  if (refusal) throw new Problem(400, refusal)
  const name = zoneName(text, organizationId)
  if (name === '') throw new Problem(400, 'Enter a name for the zone.')
  const id = uuidv7()
  try {
    await insertZone(db, { id, organization_id: organizationId, name })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new Problem(409, `There is already a zone named "${name}".`)
    throw error
  }
  await recordChange(db, author, { organization_id: organizationId, change_type: 'ZoneCreate', zone_name: name, target: id })
  await emitEvent(db, { organization_id: organizationId, zone_id: id, kind: 'zones' })
  return { id, name, organizationId }
}

/** Deletes a zone that has no host; one that still has some is refused and names them. */
export async function deleteZone(db: Database, author: Author, organizationId: string, zoneId: string): Promise<void> {
  const zone = await selectZone(db, organizationId, zoneId).forUpdate().executeTakeFirst()
  if (!zone) throw notFound('zone')
  const hosts = await selectHostNames(db, organizationId, zoneId)
  if (hosts.length > 0) {
    const names = hosts.map(({ name }) => name).join(', ')
    throw new Problem(
      409,
      `The zone "${zone.name}" still has ${hosts.length === 1 ? 'the host PC' : 'the host PCs'} ${names}. Remove ${hosts.length === 1 ? 'it' : 'them'} first.`,
    )
  }
  await endZonePublications(db, zoneId)
  await deleteZoneRow(db, zoneId)
  await recordChange(db, author, { organization_id: organizationId, change_type: 'ZoneDelete', zone_name: zone.name, target: zoneId })
  await emitEvent(db, { organization_id: organizationId, zone_id: zoneId, kind: 'zones' })
}

/** Takes a host out of its zone: its credential opens nothing from now on, and its connection is told at once. */
export async function removeHost(db: Database, author: Author, organizationId: string, hostId: string): Promise<void> {
  const host = await revokeHost(db, organizationId, hostId)
  if (!host) throw notFound('host')
  const zone = host.zone_id === null ? undefined : await selectZone(db, organizationId, host.zone_id).executeTakeFirst()
  await recordChange(db, author, {
    organization_id: organizationId,
    change_type: 'removeHost',
    target: host.name,
    zone_name: zone?.name ?? null,
  })
  await emitEvent(db, { organization_id: organizationId, zone_id: host.zone_id, kind: 'hosts' })
}

/** Readers and hosts of every zone that has any. */
export async function zoneOverviews(db: Database, organizationId: string): Promise<ZoneOverview[]> {
  const overviews = new Map<string, ZoneOverview>()
  const of = (zoneId: string): ZoneOverview => {
    const known = overviews.get(zoneId) ?? { zoneId, readers: [], hosts: [] }
    overviews.set(zoneId, known)
    return known
  }
  for (const row of await selectZoneReaders(db, organizationId))
    of(row.zone_id as string).readers.push({ deviceType: row.device_type as DeviceModel, count: row.total })
  for (const row of await selectZoneHosts(db, organizationId))
    of(row.zone_id as string).hosts.push({
      id: row.id,
      name: row.name,
      timeZone: row.time_zone,
      agentVersion: row.agent_version,
      lastSeen: row.last_seen_at?.toISOString() ?? null,
      isOnline: row.is_online,
    })
  return [...overviews.values()]
}

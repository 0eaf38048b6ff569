import {
  type CheckedIn,
  type Enrolled,
  type Enrollment,
  type Outcome,
  type OutcomesReply,
  type Progress,
  ReportedDevice,
} from '@lectern/contract/hosts.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange, recordChanges } from '../audit/audit.ts'
import { storeReports } from '../devices/devices.ts'
import { emitEvent, notifyProgress } from '../events/events.ts'
import { countReaders } from '../graphs/graphs.ts'
import type { Database } from '../lib/database/database.ts'
import type { Host, Licence } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import { vendorKeys } from '../licences/licences.ts'
import { haltBeyondLimits } from '../rollouts/rollouts.ts'
import {
  insertHost,
  selectFirmware,
  selectHost,
  selectZone,
  updateHostSeen,
  updateReapplications,
  upsertOutcomes,
  upsertProgress,
} from './sql.ts'

/** The host that owns a credential of this hash, or undefined. */
export async function selectHostByCredential(db: Database, credentialHash: string) {
  const row = await selectHost(db, credentialHash)
  return row && { hostId: row.id, organizationId: row.organization_id, zoneId: row.zone_id, name: row.name, revokedAt: row.revoked_at }
}

/**
 * Enrols a host in a zone of the licence's organization. Sent again with the same credential it answers the same host, so an
 * agent that was killed before it heard the answer just asks again.
 */
export async function enrollHost(
  db: Database,
  licence: Licence,
  origin: { address: string; requestId: string },
  enrolment: Enrollment,
): Promise<Enrolled> {
  const { organizationId } = licence
  const zone = await selectZone(db, organizationId, enrolment.zoneId)
  if (!zone) throw new Problem(404, 'This licence number does not belong to the zone of this location file, or the zone was deleted.')
  const inserted = await insertHost(db, {
    id: uuidv7(),
    organization_id: organizationId,
    zone_id: zone.id,
    licence_id: licence.licenceId,
    name: enrolment.hostName,
    time_zone: enrolment.timeZone,
    agent_version: enrolment.agentVersion,
    credential_hash: enrolment.credentialHash,
  })
  if (!inserted) {
    const known = await selectHost(db, enrolment.credentialHash)
    if (!known || known.zone_id !== zone.id || known.revoked_at !== null)
      throw new Problem(409, 'This credential was used before. Enrol with a new one.')
    return { hostId: known.id, organizationId, zoneName: zone.name, vendorKeys: await vendorKeys(db) }
  }
  await recordChange(
    db,
    { caller: null, origin },
    { organization_id: organizationId, change_type: 'enrolHost', target: enrolment.hostName, zone_name: zone.name },
  )
  await emitEvent(db, { organization_id: organizationId, zone_id: zone.id, kind: 'hosts' })
  return { hostId: inserted.id, organizationId, zoneName: zone.name, vendorKeys: await vendorKeys(db) }
}

/** Stores a batch of readers. A bad reader is refused with the reason and its place in the batch; the others are stored. */
export async function checkIn(
  db: Database,
  host: Host,
  { timeZone, agentVersion, devices }: { timeZone: string; agentVersion: string; devices: readonly unknown[] },
): Promise<CheckedIn> {
  const accepted: ReportedDevice[] = []
  const refused: CheckedIn['refused'] = []
  for (const [index, device] of devices.entries()) {
    const parsed = ReportedDevice.safeParse(device)
    if (parsed.success) accepted.push(parsed.data)
    else
      refused.push({
        index,
        serialNumber: findSerial(device),
        reason: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; '),
      })
  }
  await storeReports(db, host, accepted)
  await updateHostSeen(db, host.hostId, { time_zone: timeZone, agent_version: agentVersion })
  // Last, as every organization's check-ins wait for the counts of all.
  await countReaders(db, host.organizationId, accepted)
  return { accepted: accepted.length, refused }
}

const findSerial = (device: unknown): string | null => {
  const serial = (device as { serialNumber?: unknown } | null)?.serialNumber
  return typeof serial === 'string' ? serial.slice(0, 64) : null
}

/**
 * Stores what became of publications; a firmware that a reader has been brought to leaves an entry in the audit log, once. Where too many
 * readers failed, the rollout's safety limit halts the zone.
 * What names no publication of the host's zone or no known reader is refused with the reason.
 */
export async function reportOutcomes(
  db: Database,
  host: Host,
  origin: { address: string; requestId: string },
  outcomes: readonly Outcome[],
): Promise<OutcomesReply> {
  const key = (outcome: { publication: string; serialNumber: string }) => `${outcome.publication.toLowerCase()} ${outcome.serialNumber}`
  // The newest counts, but what was applied stays applied, as it does across reports.
  const inOrder = [
    ...outcomes.filter(({ outcome }) => outcome === 'failed'),
    ...outcomes.filter(({ outcome }) => outcome === 'applied').reverse(),
  ]
  const newest = [...new Map(inOrder.map((outcome) => [key(outcome), outcome])).values()]
  const upserted = await upsertOutcomes(db, host, newest)
  const reapplied = await updateReapplications(db, host, newest)
  const publications = new Set([...upserted.map(({ publication }) => publication), ...reapplied.map(({ of }) => of)])
  if (publications.size > 0 && newest.some(({ outcome }) => outcome === 'failed'))
    await haltBeyondLimits(db, host, origin, [...publications])
  const installed = [...upserted, ...reapplied.map((one) => ({ ...one, publication: one.of }))].filter(({ isNew }) => isNew)
  await recordInstalled(db, host, origin, installed)
  const stored = new Set([...upserted, ...reapplied].map(key))
  await notifyProgress(db, host)
  const refused = newest
    .filter((outcome) => !stored.has(key(outcome)))
    .map(({ publication, serialNumber }) => ({
      publication,
      serialNumber,
      reason: 'There is no such publication in this zone, or no such reader in this organization.',
    }))
  return { refused }
}

/** An entry of the audit log for each reader that now runs a firmware (spec §3). */
async function recordInstalled(
  db: Database,
  host: Host,
  origin: { address: string; requestId: string },
  applied: readonly { publication: string; serialNumber: string }[],
): Promise<void> {
  if (applied.length === 0) return
  const firmware = await selectFirmware(db, [...new Set(applied.map(({ publication }) => publication))])
  const entries = applied.flatMap(({ publication, serialNumber }) =>
    firmware
      .filter(({ id }) => id === publication)
      .map(({ device_type, version, file_name, content_hash, zone_name }) => ({
        organization_id: host.organizationId,
        change_type: 'FirmwareInstalled' as const,
        target: device_type,
        zone_name,
        version: version ?? file_name,
        new_value: content_hash,
        device_serial: serialNumber,
      })),
  )
  await recordChanges(db, { caller: null, origin }, entries)
}

/** Stores how far publications have come; the last word of a publication and reader counts. */
export async function reportProgress(db: Database, host: Host, progress: readonly Progress[]): Promise<void> {
  const last = new Map(progress.map((one) => [`${one.publication.toLowerCase()} ${one.serialNumber ?? ''}`, one]))
  await upsertProgress(db, host, [...last.values()])
  await notifyProgress(db, host)
}

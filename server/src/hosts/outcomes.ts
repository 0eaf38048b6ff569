import type { Outcome, OutcomesReply } from '@lectern/contract/hosts.ts'
import { depths, recordChanges } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { applyLimits, giveBackLate } from '../rollouts/rollouts.ts'
import { type Dated, selectFirmware, selectHandedOut, updateReapplications, upsertOutcomes } from './sql.ts'

const toKey = (outcome: { publication: string; serialNumber: string }) => `${outcome.publication} ${outcome.serialNumber}`

/**
 * Stores outcomes, and an audit entry for each installed firmware. Too many failures make the rollout's safety limit halt the zone. Refuses
 * an outcome whose publication this host was not handed, or whose reader is not at it. A wrong clock is no reason to refuse (RIT-08).
 * @param clock `sentAt` of the report; `receivedAt` by the server's clock
 */
export async function reportOutcomes(
  db: Database,
  actor: Actor<Host>,
  outcomes: readonly Outcome[],
  clock: HostClock,
): Promise<OutcomesReply> {
  const host = actor.caller
  // The newest outcome wins, except that an applied one stays applied, here as between reports.
  const inOrder = [
    ...outcomes.filter(({ outcome }) => outcome === 'failed'),
    ...outcomes.filter(({ outcome }) => outcome === 'applied').reverse(),
  ]
  const newest = [...new Map(inOrder.map((outcome) => [toKey(outcome), outcome])).values()]
  const { refuse, date } = await readHandedOut(db, host, newest, clock)
  const taken = newest.flatMap((outcome) => date(outcome) ?? [])
  const upserted = await upsertOutcomes(db, host, taken)
  const reapplied = await updateReapplications(db, host, taken)
  const ofPublications = [...upserted, ...reapplied.map((one) => ({ ...one, publication: one.of }))]
  const publications = [...new Set(ofPublications.map(({ publication }) => publication))]
  const hasFailed = taken.some(({ outcome }) => outcome === 'failed')
  if (publications.length > 0) await applyLimits(db, actor, publications, hasFailed)
  await giveBackLate(db, host.organizationId, ofPublications)
  const installed = ofPublications.filter(({ isNew }) => isNew)
  await recordInstalled(db, actor, installed)
  const stored = new Set([...upserted, ...reapplied].map(toKey))
  const refused = newest
    .filter((outcome) => !stored.has(toKey(outcome)))
    .map((outcome) => ({
      publication: outcome.publication,
      serialNumber: outcome.serialNumber,
      reason: refuse(outcome) ?? `This host PC does not report the reader ${outcome.serialNumber}.`,
    }))
  return { refused }
}

export interface HostClock {
  sentAt: string | undefined
  receivedAt: Date
  /** Milliseconds of a call and its answer, as the host PC measured it. */
  roundTrip?: number | undefined
}

/** Milliseconds by which the host PC's clock is ahead of the server's; 0 for an agent that does not send its time. */
export const readClockAhead = ({ sentAt, receivedAt, roundTrip = 0 }: HostClock): number =>
  sentAt === undefined ? 0 : Date.parse(sentAt) + Math.round(roundTrip / 2) - receivedAt.getTime()

async function readHandedOut(db: Database, host: Host, outcomes: readonly Outcome[], clock: HostClock) {
  const found = await selectHandedOut(db, host, [...new Set(outcomes.map(({ publication }) => publication))])
  const handedAt = new Map(found.map(({ id, at }) => [id, at]))
  const ahead = readClockAhead(clock)
  return {
    /** Returns why it is refused; null where the publication was handed out. */
    refuse({ publication }: Outcome): string | null {
      if (!handedAt.has(publication)) return 'There is no such publication in this zone.'
      return handedAt.get(publication) ? null : 'This host PC was not handed this publication yet.'
    },
    /** By the server's clock: not before it was handed out, and not in the future. Returns null where it is refused. */
    date(outcome: Outcome): Dated | null {
      const from = handedAt.get(outcome.publication)
      if (!from) return null
      const corrected = Math.min(Date.parse(outcome.at) - ahead, clock.receivedAt.getTime())
      return { ...outcome, at: new Date(Math.max(corrected, from.getTime())) }
    },
  }
}

/** Spec §3: only firmware leaves an entry. */
async function recordInstalled(
  db: Database,
  actor: Actor<Host>,
  applied: readonly { publication: string; serialNumber: string }[],
): Promise<void> {
  if (applied.length === 0) return
  const firmware = await selectFirmware(db, actor.caller.organizationId, [...new Set(applied.map(({ publication }) => publication))])
  const entries = applied.flatMap(({ publication, serialNumber }) =>
    firmware
      .filter(({ id }) => id === publication)
      .map(({ device_type, version, file_name, content_hash, zone_name, rollout_id, has_entry }) => ({
        organization_id: actor.caller.organizationId,
        change_type: 'FirmwareInstalled' as const,
        target: device_type,
        zone_name,
        version: version ?? file_name,
        new_value: content_hash,
        device_serial: serialNumber,
        rollout_id,
        depth: has_entry ? depths.reader : depths.rollout,
      })),
  )
  await recordChanges(db, actor, entries)
}

import type { Outcome, OutcomesReply } from '@lectern/contract/hosts.ts'
import { updateInstant } from '@lectern/contract/publications/update-time.ts'
import { depths, recordChanges } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { applyLimits } from '../rollouts/rollouts.ts'
import { selectFirmware, selectStarts, updateReapplications, upsertOutcomes } from './sql.ts'

// How far the clocks of a host PC and the server may be apart (decision 46).
const clockSkew = 2 * 3_600_000

const toKey = (outcome: { publication: string; serialNumber: string }) => `${outcome.publication} ${outcome.serialNumber}`

/**
 * Stores outcomes, with one audit entry per installed firmware. Where too many readers failed, the rollout's safety limit halts the zone. Refuses
 * what names no publication of the host's zone or no reader of the host, and what is from before the publication begins.
 */
export async function reportOutcomes(db: Database, actor: Actor<Host>, outcomes: readonly Outcome[]): Promise<OutcomesReply> {
  const host = actor.caller
  // The newest wins, but an applied outcome stays applied, as it does across reports.
  const inOrder = [
    ...outcomes.filter(({ outcome }) => outcome === 'failed'),
    ...outcomes.filter(({ outcome }) => outcome === 'applied').reverse(),
  ]
  const newest = [...new Map(inOrder.map((outcome) => [toKey(outcome), outcome])).values()]
  const refuse = await readRefusals(db, host, newest)
  const inTime = newest.filter((outcome) => refuse(outcome) === null)
  const upserted = await upsertOutcomes(db, host, inTime)
  const reapplied = await updateReapplications(db, host, inTime)
  const publications = new Set([...upserted.map(({ publication }) => publication), ...reapplied.map(({ of }) => of)])
  const hasFailed = inTime.some(({ outcome }) => outcome === 'failed')
  if (publications.size > 0) await applyLimits(db, actor, [...publications], hasFailed)
  const installed = [...upserted, ...reapplied.map((one) => ({ ...one, publication: one.of }))].filter(({ isNew }) => isNew)
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

/** Null: not for its publication or time. */
async function readRefusals(db: Database, host: Host, outcomes: readonly Outcome[]): Promise<(outcome: Outcome) => string | null> {
  const now = Date.now()
  const starts = await selectStarts(db, host, [...new Set(outcomes.map(({ publication }) => publication))])
  const begins = new Map(
    starts.map(({ id, from, updateTime, timeZone }) => [id, updateTime === null ? from : updateInstant(from, updateTime, timeZone)]),
  )
  return ({ publication, at }) => {
    const begin = begins.get(publication)
    if (!begin) return 'There is no such publication in this zone.'
    // A date in the future does not help: it has not happened yet.
    const earlier = new Date(Math.min(Date.parse(at), now))
    if (earlier.getTime() >= begin.getTime() - clockSkew) return null
    return `This publication begins at ${begin.toISOString()}. An outcome of ${earlier.toISOString()} is too early.`
  }
}

/** Spec §3. Outcomes of configurations leave no entry. */
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

import { rolloutTitle } from '@lectern/contract/rollouts.ts'
import { recordChanges } from '../audit/audit.ts'
import { emitEvents } from '../events/events.ts'
import { type Actor, theServer } from '../lib/actor.ts'
import { type Database, inTransaction } from '../lib/database/database.ts'
import { wholeOrganization } from '../lib/database/zone-scope.ts'
import { Problem } from '../lib/http/problem.ts'
import { beginByHand, type Decision, listWaiting, passGate } from '../phases/phases.ts'
import { type Call, getChangeable, notifyHosts, record, requireCurrent } from './changes.ts'
import { toContent } from './parts.ts'
import { selectContents, selectDesiringZones } from './sql.ts'

export async function sweepPhases(db: Database): Promise<void> {
  for (const rollout of await listWaiting(db))
    await inTransaction(db, async (transaction) => {
      const decision = await passGate(transaction, rollout)
      if (decision) await recordDecisions(transaction, theServer, [decision])
    })
}

/** Audits what gates did, and has the hosts of their rollouts read it. */
export async function recordDecisions(
  db: Database,
  { address, requestId }: Pick<Actor, 'address' | 'requestId'>,
  decisions: readonly Decision[],
): Promise<void> {
  for (const { organizationId, id, change, about } of decisions) {
    const contents = await selectContents(db, wholeOrganization(organizationId), [id])
    const target = rolloutTitle(contents.map(toContent))
    await recordChanges(db, { caller: null, address, requestId }, [
      { organization_id: organizationId, change_type: change, target, new_value: about },
    ])
    const zones = await selectDesiringZones(db, { organizationId, id })
    await emitEvents(
      db,
      zones.map((zone_id) => ({ organization_id: organizationId, zone_id, kind: 'desired' })),
    )
  }
}

/** Two calls begin it once. */
export async function beginPhase(call: Call & { params: { phase: number } }): Promise<{ message: string }> {
  const { phase } = call.params
  const rollout = await getChangeable(call)
  const current = requireCurrent(rollout)
  if (rollout.hasOtherZones) throw new Problem(403, 'Your role is limited to zones. The phases of this rollout also hold for others.')
  const begun = await beginByHand(call.db, rollout, phase)
  if (begun === null) return { message: `Phase ${phase} has begun already.` }
  await record(call, rollout, { change_type: 'beginPhase', new_value: begun })
  await notifyHosts(call, new Set(current.map(({ public_zone_id }) => public_zone_id)))
  return { message: `Phase ${phase} begins.` }
}

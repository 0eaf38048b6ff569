import { theServer } from '../lib/actor.ts'
import { type Database, inTransaction } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import { beginByHand, decideAfterTime, listUncounted } from '../phases/phases.ts'
import { type Call, getChangeable, notifyHosts, recordRolloutChange, requireCurrent } from './changes.ts'
import { recordPhaseChanges } from './rollouts.ts'

export async function sweepPhases(db: Database): Promise<void> {
  for (const rollout of await listUncounted(db))
    await inTransaction(db, async (transaction) => {
      const change = await decideAfterTime(transaction, rollout)
      if (change) await recordPhaseChanges(transaction, theServer, [change])
    })
}

/** Starts a phase. Changes nothing where it has started already, as for the second of two calls. */
export async function beginPhase(call: Call & { params: { phase: number } }): Promise<{ message: string }> {
  const { phase } = call.params
  const rollout = await getChangeable(call)
  const current = requireCurrent(rollout)
  if (rollout.hasOtherZones) throw new Problem(403, 'Your role is limited to zones. The phases of this rollout also hold for others.')
  const started = await beginByHand(call.db, rollout, phase)
  if (started === null) return { message: `Phase ${phase} has started already.` }
  await recordRolloutChange(call, rollout, { change_type: 'beginPhase', new_value: started })
  await notifyHosts(call, new Set(current.map(({ public_zone_id }) => public_zone_id)))
  return { message: `Phase ${phase} begins.` }
}

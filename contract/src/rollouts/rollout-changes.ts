import * as z from 'zod/mini'
import { endpoint, organization } from '../http/endpoint.ts'
import { Message } from '../http/problems.ts'
import { MoveInput, MovePlan, StartInput } from '../publications/moves.ts'
import { mostPhases } from '../publications/phases.ts'
import { maxPartsBytes } from '../publications/publish-to-zones.ts'
import { RepairInput, RepairPlan } from '../publications/repairs.ts'
import { RollBackInput, RollBackPlan } from '../publications/roll-back.ts'
import { SafetyLimitInput } from '../publications/safety-limit.ts'
import { Uuid } from '../text/text.ts'
import { RolloutNameInput } from './rollout-name.ts'

const one = '/api/codedm/organization/{organizationId}/rollouts/{id}' as const
export const params = z.object({ id: Uuid })

export const rolloutChanges = {
  haltRollout: endpoint({
    method: 'POST',
    path: `${one}/halt`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['rollouts'],
    audit: 'haltRollout',
    summary: 'Lets no further reader begin; needs the right to publish what the rollout holds',
    params,
    response: Message,
  }),
  resumeRollout: endpoint({
    method: 'POST',
    path: `${one}/resume`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['rollouts'],
    audit: 'resumeRollout',
    summary: 'Lets a halted rollout go on; needs the right to publish what the rollout holds',
    params,
    response: Message,
  }),
  previewRetry: endpoint({
    method: 'GET',
    path: `${one}/retry`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices', 'rollouts'],
    summary:
      'What a retry would do: by model how many failed readers get it, run it already, are missing or cannot take it; needs the permission to publish its contents',
    params,
    response: RepairPlan,
  }),
  retryRollout: endpoint({
    method: 'POST',
    path: `${one}/retry`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts'],
    audit: 'retryRollout',
    summary: 'Applies it again to all readers that failed; needs the permission to publish its contents',
    params,
    body: RepairInput,
    response: Message,
  }),
  previewRollBack: endpoint({
    method: 'GET',
    path: `${one}/roll-back`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['devices', 'rollouts'],
    summary:
      'What a roll back would do: by model how many readers get what they ran, are released, or stay as they are; needs the right to publish what the rollout holds',
    params,
    response: RollBackPlan,
  }),
  rollBackRollout: endpoint({
    method: 'POST',
    path: `${one}/roll-back`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts'],
    audit: 'rollBackRollout',
    summary:
      'Gives each reader back what it had as a new rollout, at once or at an update time, and releases those that the rollout did not reach; needs the right to publish what the rollout holds',
    params,
    body: RollBackInput,
    maxBodyBytes: maxPartsBytes,
    response: z.object({ id: Uuid, message: z.string() }),
  }),
  previewMove: endpoint({
    method: 'GET',
    path: `${one}/move`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['rollouts', 'schedule'],
    summary:
      'What a move would move, whole or in one zone: its next run, the clocks and windows of its zones, and the phases that they wait for; needs the right to publish what the rollout holds',
    params,
    query: z.object({ zone: z.optional(Uuid) }),
    response: MovePlan,
  }),
  startRollout: endpoint({
    method: 'POST',
    path: `${one}/start`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['rollouts'],
    audit: 'startRollout',
    summary: 'Starts what waits for its time now, whole or in some zones; needs the right to publish what the rollout holds',
    params,
    body: StartInput,
    response: Message,
  }),
  moveRollout: endpoint({
    method: 'POST',
    path: `${one}/move`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['rollouts'],
    audit: 'moveRollout',
    summary: 'Moves what waits to another day and time, whole or in some zones; needs the right to publish what the rollout holds',
    params,
    body: MoveInput,
    response: Message,
  }),
  beginPhase: endpoint({
    method: 'POST',
    path: `${one}/phases/{phase}/begin`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['rollouts'],
    audit: 'beginPhase',
    summary:
      'Lets the readers of the next phase begin, whatever the gate before it says; one that has started stays as it is. Needs the right to publish what the rollout holds',
    params: z.extend(params, { phase: z.coerce.number().check(z.int(), z.minimum(2), z.maximum(mostPhases + 1)) }),
    response: Message,
  }),
  nameRollout: endpoint({
    method: 'PUT',
    path: `${one}/name`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['rollouts'],
    audit: 'nameRollout',
    summary: 'Gives a rollout a name, or none; needs the right to publish what the rollout holds',
    params,
    body: RolloutNameInput,
    response: Message,
  }),
  setSafetyLimit: endpoint({
    method: 'PUT',
    path: `${one}/safety-limit`,
    access: organization(),
    limitedRole: 'zones',
    changes: ['rollouts'],
    audit: 'setSafetyLimit',
    summary:
      'Halts each zone of which more than so many percent of the readers failed, or none, and stops starting readers at a time of day, or never; needs the right to publish what the rollout holds',
    params,
    body: SafetyLimitInput,
    response: Message,
  }),
}

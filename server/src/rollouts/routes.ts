import type { Handlers } from '../lib/http/serve.ts'
import { haltRollout, nameRollout, previewRetry, resumeRollout, retryRollout, setSafetyLimit } from './changes.ts'
import { beginPhase } from './gates.ts'
import { getRolloutChoices, listRollouts, watchRollouts } from './list/list.ts'
import { watchRollout } from './live.ts'
import { moveRollout, previewMove, startRollout } from './moves.ts'
import { previewRollBack } from './roll-back/plan.ts'
import { rollBackRollout } from './roll-back/roll-back.ts'
import { getRollout, listRolloutReaders } from './rollouts.ts'
import { listRolloutRuns } from './zones/runs.ts'
import { listRolloutParts } from './zones/zone-pages.ts'

export const rolloutRoutes = {
  listRollouts: ({ db, params, query }) => listRollouts(db, params, query),
  streamRollouts: async ({ events, params }) => watchRollouts(events, params.organizationId),
  getRolloutChoices: ({ db, params }) => getRolloutChoices(db, params),
  getRollout: ({ db, params }) => getRollout(db, params),
  streamRollout: ({ db, events, params }) => watchRollout(db, events, params),
  listRolloutParts: ({ db, params, query }) => listRolloutParts(db, params, query),
  listRolloutRuns: ({ db, params }) => listRolloutRuns(db, params),
  listRolloutReaders: ({ db, params, query }) => listRolloutReaders(db, params, query),
  haltRollout: (call) => haltRollout(call),
  resumeRollout: (call) => resumeRollout(call),
  previewRetry: (call) => previewRetry(call),
  retryRollout: (call) => retryRollout(call, call.body.expected),
  previewRollBack: (call) => previewRollBack(call),
  rollBackRollout: (call) => rollBackRollout(call, call.body),
  previewMove: (call) => previewMove(call, call.query.zone),
  startRollout: (call) => startRollout(call, call.body),
  moveRollout: (call) => moveRollout(call, call.body),
  beginPhase: (call) => beginPhase(call),
  nameRollout: (call) => nameRollout(call, call.body.name),
  setSafetyLimit: (call) => setSafetyLimit(call, call.body),
} satisfies Partial<Handlers>

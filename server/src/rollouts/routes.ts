import type { Handlers } from '../lib/http/serve.ts'
import { haltRollout, resumeRollout, retryRollout, rollBackRollout, setSafetyLimit } from './changes.ts'
import { watchRollout } from './live.ts'
import { moveRollout, startRollout } from './moves.ts'
import { listRolloutParts } from './parts.ts'
import { getRollout, listRolloutReaders, listRollouts } from './rollouts.ts'

export const rolloutRoutes = {
  listRollouts: ({ db, params, query }) => listRollouts(db, params, query),
  getRollout: ({ db, params }) => getRollout(db, params),
  streamRollout: ({ db, events, params }) => watchRollout(db, events, params),
  listRolloutParts: ({ db, params, query }) => listRolloutParts(db, params, query),
  listRolloutReaders: ({ db, params, query }) => listRolloutReaders(db, params, query),
  haltRollout: (call) => haltRollout(call),
  resumeRollout: (call) => resumeRollout(call),
  retryRollout: (call) => retryRollout(call),
  rollBackRollout: (call) => rollBackRollout(call, call.body),
  startRollout: (call) => startRollout(call, call.body),
  moveRollout: (call) => moveRollout(call, call.body),
  setSafetyLimit: (call) => setSafetyLimit(call, call.body),
} satisfies Partial<Handlers>

import { notifyProgress } from '../events/events.ts'
import { isRelease } from '../firmware/firmware.ts'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { sendRange } from '../lib/http/send-range.ts'
import { type Handlers, writeInParts } from '../lib/http/serve.ts'
import { checkOutcomes } from '../quotas/quotas.ts'
import { checkIn, enrollHost, getDesired, refuseSimulated, reportProgress } from './hosts.ts'
import { reportOutcomes } from './outcomes.ts'
import { selectPublished } from './sql.ts'

interface Reporting {
  caller: Host
  outside: Database
  afterCommit(work: () => Promise<void>): void
}

// Commits that notify wait for each other, across organizations (decision 67), so reports notify after their commit. Where the server stops
// in between, followers see the change at their next look.
function notifyAfterCommit({ caller, outside, afterCommit }: Reporting): void {
  const { organizationId, publicZoneId: zoneId } = caller
  afterCommit(() => notifyProgress(outside, { organizationId, zoneId }).catch(() => undefined))
}

/** When the call was received, by the server's clock. */
const findReceived = (sinceReceived: () => number): Date => new Date(Date.now() - sinceReceived())

const concernsHosts = new Set(['desired', 'hosts', 'reconnected'])

export const hostRoutes = {
  enrollHost: ({ db, actor, body, settings }) => {
    refuseSimulated(settings, body)
    return enrollHost(db, actor, body, settings.quotas)
  },
  checkIn: writeInParts(({ db, actor, body, settings, sinceReceived }) => {
    refuseSimulated(settings, body)
    return checkIn(db, actor, { ...body, receivedAt: findReceived(sinceReceived) }, settings.quotas)
  }),
  getDesired: ({ db, caller, settings, query }) => getDesired(db, caller, { minBattery: settings.minBattery, ...query }),
  downloadContent: async ({ db, caller, params, contents, headers }) => {
    if (caller.onTwoPcs) throw new Problem(404, 'Two PCs check in as this host. Nothing is handed out to it.', { code: 'host-on-two-pcs' })
    if (!((await selectPublished(db, caller, params.hash)) || (await isRelease(db, params.hash)))) throw notFound('content')
    const size = await contents.size(params.hash)
    if (size === null) throw notFound('content')
    // A content never changes.
    return sendRange({ size, hash: params.hash, read: (range) => contents.read(params.hash, range) }, headers, {
      'cache-control': 'private, immutable, max-age=31536000',
    })
  },
  reportOutcomes: async (call) => {
    const { db, actor, body, settings, sinceReceived } = call
    await checkOutcomes(db, actor.caller, body.outcomes.length, settings.quotas)
    const reply = await reportOutcomes(db, actor, body.outcomes, { sentAt: body.sentAt, receivedAt: findReceived(sinceReceived) })
    notifyAfterCommit(call)
    return reply
  },
  reportProgress: async (call) => {
    await reportProgress(call.db, call.caller, call.body.progress)
    notifyAfterCommit(call)
  },
  // The first event is sent at once: an agent that has missed events then reads the desired state.
  streamDesired:
    ({ caller, events, hostStreams }) =>
    ({ send, end }) => {
      const sendDesired = (id: number) => send({ id: String(id), event: 'desired', data: '{}' })
      sendDesired(0)
      const close = hostStreams.open(caller)
      const leave = events.subscribe(caller.publicZoneId, { hear: ({ id, kind }) => concernsHosts.has(kind) && sendDesired(id), end })
      return () => {
        close()
        leave()
      }
    },
} satisfies Partial<Handlers>

import { isRelease } from '../firmware/firmware.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers, ServerSentEvent } from '../lib/http/serve.ts'
import { contentResponse } from './content.ts'
import { getDesired } from './desired.ts'
import { checkIn, enrollHost, reportOutcomes, reportProgress } from './hosts.ts'
import { selectPublished } from './sql.ts'

export const hostRoutes = {
  enrollHost: ({ db, caller, origin, body }) => enrollHost(db, caller, origin, body),
  checkIn: ({ db, caller, body }) => checkIn(db, caller, body),
  getDesired: ({ db, caller, settings }) => getDesired(db, caller, settings.minBattery),
  downloadContent: async ({ db, caller, params, contents, headers }) => {
    if (!((await selectPublished(db, caller.zoneId, params.hash)) || (await isRelease(db, params.hash)))) throw notFound('content')
    return contentResponse(contents, params.hash, headers)
  },
  reportOutcomes: ({ db, caller, origin, body }) => reportOutcomes(db, caller, origin, body.outcomes),
  reportProgress: ({ db, caller, body }) => reportProgress(db, caller, body.progress),
  // The first event is sent at once: whatever was missed while nobody listened, the agent asks for the desired state now.
  streamDesired: async function* ({ caller, events, signal }): AsyncGenerator<ServerSentEvent> {
    const concerns = events.subscribe(
      (event) => event.zoneId === caller.zoneId && (event.kind === 'desired' || event.kind === 'hosts'),
      signal,
    )
    yield { id: '0', event: 'desired', data: '{}' }
    for await (const { id } of concerns) yield { id: String(id), event: 'desired', data: '{}' }
  },
} satisfies Partial<Handlers>

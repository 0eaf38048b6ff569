import { withoutSecrets } from '@lectern/contract/text/secrets.ts'
import * as sentry from '@sentry/react'
import { version } from '../../../package.json'
import type { Failure, Feedback, Reporter } from './reporter.ts'

/** Characters of a message (spec §9). */
const messageCap = 250

/** Loaded after the first paint, and only where a service is set (spec §9). */
export function openSentry(dsn: string): Reporter {
  sentry.init({
    dsn,
    release: `lectern@${version}`,
    sendDefaultPii: false,
    sendClientReports: false,
    maxBreadcrumbs: 100,
    normalizeDepth: 3,
    maxValueLength: messageCap,
    transportOptions: { bufferSize: 30 },
    transport,
    replaysSessionSampleRate: 0,
    replaysOnErrorSampleRate: 1,
    integrations: (defaults) => [
      // Visits are not reported, only errors.
      ...defaults.filter(({ name }) => name !== 'BrowserSession'),
      // What customers see is private: texts are masked, and media left out. Not compressed, so that `transport` can read it.
      sentry.replayIntegration({
        maskAllText: true,
        maskAllInputs: true,
        blockAllMedia: true,
        useCompression: false,
        beforeErrorSampling: ({ exception }) => exception !== undefined,
      }),
    ],
    beforeBreadcrumb: (crumb) =>
      isFetchedAhead(crumb.data?.url)
        ? null
        : { ...crumb, ...(crumb.message === undefined ? {} : { message: crumb.message.slice(0, messageCap) }) },
  })
  return {
    setPerson: (person) => sentry.setUser(person && { id: person.id, email: person.email, username: person.nickname }),
    reportFailure,
    reportMissingPage: (address, eventId) =>
      sentry.captureEvent({ event_id: eventId, message: 'Page not found', level: 'warning', tags: { address } }),
    sendFeedback,
  }
}

// Scripts fetched ahead are not actions of the user, and would push out other breadcrumbs.
const isFetchedAhead = (url: unknown): boolean => typeof url === 'string' && /^\/(assets\/|fetch-ahead\.json$)/.test(url)

function reportFailure({ error, eventId, isHandled, call, requestId, componentStack }: Failure): void {
  sentry.captureException(error, {
    event_id: eventId,
    mechanism: { type: 'lectern', handled: isHandled },
    captureContext: {
      tags: { call, request_id: requestId },
      contexts: componentStack ? { react: { componentStack } } : {},
      // All failing calls have the same stack, so they are grouped by call.
      ...(call ? { fingerprint: ['{{ default }}', call] } : {}),
    },
  })
}

// The error that the feedback belongs to has its replay already.
async function sendFeedback(feedback: Feedback): Promise<void> {
  await sentry.sendFeedback(feedback, { includeReplay: false })
}

// Every report passes here on its way out, replays included.
function transport(options: Parameters<typeof sentry.makeFetchTransport>[0]) {
  const { send, flush } = sentry.makeFetchTransport(options)
  return { flush, send: (envelope: Envelope) => send(clean(envelope)) }
}

type Envelope = Parameters<ReturnType<typeof sentry.makeFetchTransport>['send']>[0]

function clean(envelope: Envelope): Envelope {
  const [head, items] = withoutSecrets(envelope)
  // A recording is one text whose length is in its head.
  for (const [itemHead, content] of items)
    if (typeof content === 'string') Object.assign(itemHead, { length: new TextEncoder().encode(content).length })
  return [head, items] as Envelope
}

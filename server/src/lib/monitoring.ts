import { withoutSecrets } from '@lectern/contract/text/secrets.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Caller } from './http/caller.ts'

/** The call in which something failed. */
export interface FailedCall {
  requestId: string
  /** The pattern that matched, never the address itself. */
  route: string | undefined
  caller: Caller | undefined
}

/** Reports failures to the error-reporting service. */
export interface Monitoring {
  report(error: unknown, call?: FailedCall): void
  /** Sends what is under way. */
  close(): Promise<void>
}

/** Reports nothing. */
export const noMonitoring: Monitoring = { report: () => {}, close: async () => {} }

const flushWithinMs = 2_000

/**
 * Starts reporting to the service that a DSN names; without one the library is not even loaded. What it sends is the error with its
 * stack, the call and its caller: no header, cookie, body or query string. An exception that nobody caught is reported, and then ends
 * the process as it would have without this.
 */
export async function openMonitoring(dsn: string | null): Promise<Monitoring> {
  if (dsn === null) return noMonitoring
  const sentry = await import('@sentry/node')
  sentry.initWithoutDefaultIntegrations({
    dsn,
    release: `lectern@${manifest.version}`,
    sendDefaultPii: false,
    sendClientReports: false,
    maxBreadcrumbs: 100,
    normalizeDepth: 3,
    maxValueLength: 250,
    transportOptions: { bufferSize: 30 },
    integrations: [
      sentry.linkedErrorsIntegration(),
      sentry.contextLinesIntegration(),
      sentry.nodeContextIntegration(),
      sentry.onUncaughtExceptionIntegration(),
    ],
    transport: (options) => {
      const { send, flush } = sentry.makeNodeTransport(options)
      return { send: (envelope) => send(withoutSecrets(envelope)), flush }
    },
    // No tracing, so nothing of its machinery.
    skipOpenTelemetrySetup: true,
    registerEsmLoaderHooks: false,
  })
  return {
    report: (error, call) => void sentry.captureException(error, call && { tags: toTags(call), user: toUser(call.caller) }),
    close: async () => void (await sentry.close(flushWithinMs)),
  }
}

const toTags = ({ requestId, route }: FailedCall) => ({ request_id: requestId, ...(route === undefined ? {} : { route }) })

function toUser(caller: Caller | undefined) {
  if (!caller) return undefined
  if ('userId' in caller) return { id: caller.userId, email: caller.email }
  return { id: 'hostId' in caller ? `host ${caller.hostId}` : `licence ${caller.licenceId}` }
}

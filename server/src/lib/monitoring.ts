import { withoutSecrets } from '@lectern/contract/text/secrets.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Caller } from './http/caller.ts'

export interface FailedCall {
  requestId: string
  route: string | undefined
  caller: Caller | undefined
}

export interface Monitoring {
  report(error: unknown, call?: FailedCall): void
  close(): Promise<void>
}

export const noMonitoring: Monitoring = { report: () => {}, close: async () => {} }

const flushWithinMs = 2_000

/**
 * Reports the error with its stack, the call and its caller; never a header, cookie, body or query string. An uncaught exception is
 * reported and then ends the process, as it does without this. Without a DSN nothing is loaded.
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
    // Without tracing.
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

import { CallError } from '../api/call-error.ts'
import type { Failure, Feedback, MonitoredPerson, Reporter } from './reporter.ts'

const mostWaiting = 30

/** Undefined until the settings are known. */
let dsn: string | null | undefined
let reporter: Reporter | undefined
let loading: Promise<Reporter> | undefined
let current: MonitoredPerson | null = null
const waiting: ((reporter: Reporter) => void)[] = []
const idsOfErrors = new WeakMap<object, string>()
const idsOfKinds = new Map<string, string>()

/** Keeps uncaught errors until the service is loaded. */
export function watchErrors(): void {
  addEventListener('error', record)
  addEventListener('unhandledrejection', record)
}

function stopWatching(): void {
  removeEventListener('error', record)
  removeEventListener('unhandledrejection', record)
}

function record(event: ErrorEvent | PromiseRejectionEvent): void {
  const error: unknown = 'reason' in event ? event.reason : (event.error ?? event.message)
  reportFailure(error, { isHandled: false })
}

/** Called once the settings are known; null: no reports. The service is loaded after the first paint. */
export function startMonitoring(toDsn: string | null): void {
  dsn = toDsn
  if (dsn !== null) return void whenMonitored().catch(() => {})
  stopWatching()
  waiting.length = 0
}

export const isMonitored = (): boolean => typeof dsn === 'string'

/** Rejects where the service cannot be loaded. Reports that wait are sent after the next attempt. */
export function whenMonitored(): Promise<Reporter> {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<Reporter> {
  await firstPaint()
  const { openSentry } = await import('./sentry.ts')
  reporter = openSentry(dsn as string)
  stopWatching()
  reporter.setPerson(current)
  for (const send of waiting.splice(0)) send(reporter)
  return reporter
}

function report(send: (reporter: Reporter) => void): void {
  if (reporter) send(reporter)
  else if (dsn !== null && waiting.length < mostWaiting) {
    waiting.push(send)
    if (isMonitored()) void whenMonitored().catch(() => {})
  }
}

/** Null where no user is signed in. */
export function identify(person: MonitoredPerson | null): void {
  current = person
  reporter?.setPerson(person)
}

/** Reports an error of the same kind (words and place) once per visit; a retry that fails keeps its reference. */
export function reportFailure(error: unknown, about: Partial<Pick<Failure, 'isHandled' | 'call' | 'componentStack'>> = {}): void {
  if (findEventId(error) !== undefined) return
  const kind = [about.call, error, describePlace(error)].join('\n')
  const known = idsOfKinds.get(kind)
  const eventId = known ?? newEventId()
  idsOfKinds.set(kind, eventId)
  if (typeof error === 'object' && error !== null) idsOfErrors.set(error, eventId)
  if (known === undefined)
    report((service) => service.reportFailure({ isHandled: true, ...about, error, eventId, requestId: findRequestId(error) }))
}

const describePlace = (error: unknown): string | undefined =>
  error instanceof Error ? error.stack?.replace(String(error), '').trim().split('\n')[0] : undefined

/**
 * Reports an address without a page once per visit.
 * @returns the report's id
 */
export function reportMissingPage(address: string): string {
  const kind = `missing ${address}`
  const known = idsOfKinds.get(kind)
  if (known !== undefined) return known
  const eventId = newEventId()
  idsOfKinds.set(kind, eventId)
  report((service) => service.reportMissingPage(address, eventId))
  return eventId
}

/** A reference that the user can quote to support: the report's id, else that of the failed request. */
export const findReference = (error: unknown): string | undefined => (isMonitored() && findEventId(error)) || findRequestId(error)

const findEventId = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null ? idsOfErrors.get(error) : undefined
const findRequestId = (error: unknown): string | undefined => (error instanceof CallError ? error.problem?.instance : undefined)

// We make the ids ourselves, so that they can be shown before anything was sent.
const newEventId = (): string => crypto.randomUUID().replaceAll('-', '')

export async function sendFeedback(feedback: Feedback): Promise<void> {
  const service = await whenMonitored()
  await service.sendFeedback(feedback)
}

const longestWait = 2_000

/** Resolves when the page is painted and the browser is idle; never for a page that shows nothing. */
function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    const painted = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return
      painted.disconnect()
      if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: longestWait })
      else setTimeout(resolve)
    })
    painted.observe({ type: 'paint', buffered: true })
  })
}

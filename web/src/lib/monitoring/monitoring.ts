import { CallError } from '../api/call-error.ts'
import { firstPaint } from '../first-paint.ts'
import type { Failure, Feedback, MonitoredPerson, Reporter } from './reporter.ts'

/** More than this does not wait for the service to be loaded. */
const mostWaiting = 30

/** Undefined until the settings have said it. */
let dsn: string | null | undefined
let reporter: Reporter | undefined
let loading: Promise<Reporter> | undefined
let current: MonitoredPerson | null = null
const waiting: ((reporter: Reporter) => void)[] = []
const idsOfErrors = new WeakMap<object, string>()
const idsOfKinds = new Map<string, string>()

/** Keeps what nobody catches until the service has been loaded and does so itself. */
export function watchErrors(): void {
  addEventListener('error', keep)
  addEventListener('unhandledrejection', keep)
}

function stopWatching(): void {
  removeEventListener('error', keep)
  removeEventListener('unhandledrejection', keep)
}

function keep(event: ErrorEvent | PromiseRejectionEvent): void {
  const error: unknown = 'reason' in event ? event.reason : (event.error ?? event.message)
  reportFailure(error, { isHandled: false })
}

/** Called when the settings are known: reports go to the service of the DSN, which is loaded after first paint, or without one nowhere. */
export function startMonitoring(toDsn: string | null): void {
  dsn = toDsn
  if (dsn !== null) return void whenMonitored().catch(() => {})
  stopWatching()
  waiting.length = 0
}

/** Whether errors are reported at all. */
export const isMonitored = (): boolean => typeof dsn === 'string'

/** Resolves when the service is there. Rejects when it cannot be loaded; what waits for it then waits for the next attempt. */
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
  for (const tell of waiting.splice(0)) tell(reporter)
  return reporter
}

function tell(how: (reporter: Reporter) => void): void {
  if (reporter) how(reporter)
  else if (dsn !== null && waiting.length < mostWaiting) {
    waiting.push(how)
    if (isMonitored()) void whenMonitored().catch(() => {})
  }
}

/** Says who is signed in; null when nobody is. */
export function identify(person: MonitoredPerson | null): void {
  current = person
  reporter?.setPerson(person)
}

/**
 * Reports an error once, and the same kind of error (same words from the same place) once a visit: trying again what fails again
 * keeps its reference, and a list that is read every few seconds does not report every few seconds.
 */
export function reportFailure(error: unknown, about: Partial<Pick<Failure, 'isHandled' | 'call' | 'componentStack'>> = {}): void {
  if (findEventId(error) !== undefined) return
  const kind = [about.call, error, describePlace(error)].join('\n')
  const known = idsOfKinds.get(kind)
  const eventId = known ?? newEventId()
  idsOfKinds.set(kind, eventId)
  if (typeof error === 'object' && error !== null) idsOfErrors.set(error, eventId)
  if (known === undefined) tell((service) => service.failed({ isHandled: true, ...about, error, eventId, requestId: findRequestId(error) }))
}

/** Where it was thrown; who called differs from time to time. */
const describePlace = (error: unknown): string | undefined =>
  error instanceof Error ? error.stack?.replace(String(error), '').trim().split('\n')[0] : undefined

/** Reports that nothing answers to an address, once a visit, and answers the report's id. */
export function reportMissingPage(address: string): string {
  const kind = `missing ${address}`
  const known = idsOfKinds.get(kind)
  if (known !== undefined) return known
  const eventId = newEventId()
  idsOfKinds.set(kind, eventId)
  tell((service) => service.missed(address, eventId))
  return eventId
}

/** What somebody can name to support: the report of the error, else the request that failed. */
export const findReference = (error: unknown): string | undefined => (isMonitored() && findEventId(error)) || findRequestId(error)

const findEventId = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null ? idsOfErrors.get(error) : undefined
const findRequestId = (error: unknown): string | undefined => (error instanceof CallError ? error.problem?.instance : undefined)

/** Ids are ours, so that they can be shown before anything has been sent. */
const newEventId = (): string => crypto.randomUUID().replaceAll('-', '')

/** Sends what somebody writes about an error. Resolves when the service has it. */
export async function sendFeedback(feedback: Feedback): Promise<void> {
  const service = await whenMonitored()
  await service.sendFeedback(feedback)
}

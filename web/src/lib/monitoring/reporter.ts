export interface MonitoredPerson {
  id: string
  email: string
  nickname: string | undefined
}

export interface Failure {
  error: unknown
  eventId: string
  /** Whether the user saw it. */
  isHandled: boolean
  call?: string | undefined
  requestId?: string | undefined
  componentStack?: string | null | undefined
}

export interface Feedback {
  message: string
  name: string
  email: string
  associatedEventId: string | undefined
}

export interface Reporter {
  setPerson(person: MonitoredPerson | null): void
  reportFailure(failure: Failure): void
  reportMissingPage(address: string, eventId: string): void
  sendFeedback(feedback: Feedback): Promise<void>
}

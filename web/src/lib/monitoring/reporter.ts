/** Who is signed in, as error reporting knows them (spec §6). */
export interface MonitoredPerson {
  id: string
  email: string
  nickname: string | undefined
}

export interface Failure {
  error: unknown
  eventId: string
  /** Somebody is told of it on the screen. */
  isHandled: boolean
  /** The failing call's name in the contract, and the server's id of it. */
  call?: string | undefined
  requestId?: string | undefined
  componentStack?: string | null | undefined
}

export interface Feedback {
  message: string
  name: string
  email: string
  /** The report it belongs to. */
  associatedEventId: string | undefined
}

/** The error-reporting service, once it has been loaded. */
export interface Reporter {
  setPerson(person: MonitoredPerson | null): void
  failed(failure: Failure): void
  missed(address: string, eventId: string): void
  sendFeedback(feedback: Feedback): Promise<void>
}

import type { OutcomeCode } from '@lectern/contract/publications/outcome-code.ts'
import { isAdmitted } from '@lectern/contract/publications/reader-position.ts'
import type { Driver } from '../drivers/driver.ts'
import type { Log } from '../log.ts'
import { type Assignment, findStart } from '../state/assignment.ts'
import type { Content } from '../state/contents.ts'
import type { DesiredState } from '../state/desired-state.ts'
import type { Downloads } from '../state/downloads.ts'
import type { InProgress } from '../state/in-progress.ts'
import type { Journal } from '../state/journal.ts'
import type { ActiveState, NextState, State } from './states.ts'

export interface Update {
  assignment: Assignment
  readonly serialNumber: string
  state: State
  /** Whether no published command gave the reader the content at the last look. It is reported at once (decision 97). */
  isImpossible: boolean
  content: Content | null
  /** Failed tries since the agent started. */
  tries: number
  /** Milliseconds since 1970; 0: never postponed. */
  notBefore: number
}

export interface UpdateContext {
  driver: Driver
  desired: DesiredState
  downloads: Downloads
  journal: Journal
  inProgress: InProgress
  log: Log
  now: () => Date
  timeZone: () => string
  onProgress: (update: Update, percent: number) => void
  onTransition: (update: Update, from: State) => void
}

interface Details {
  queued: object
  downloading: object
  postponed: { reason: string; milliseconds: number }
  applying: { content: Content }
  verifying: object
  settled: object
  failed: { reason: string; code?: OutcomeCode }
}

export type Transition<To extends State = State> = { [T in To]: { to: T } & Details[T] }[To]

/** Null: the update stays in its state. An error: this try has failed. */
export type Step<S extends ActiveState> = (
  update: Update,
  context: UpdateContext,
  signal: AbortSignal,
) => Promise<Transition<NextState<S>> | null>

/** Written by this agent, or one that was killed. */
export const isInProgress = ({ assignment, serialNumber }: Update, { inProgress }: UpdateContext): boolean =>
  inProgress.find(serialNumber, assignment.publication) !== undefined

/** Whether its phase has started, by the desired state (decision 59). */
export const isInPhase = ({ assignment, serialNumber }: Update): boolean => isAdmitted(assignment.admitted, serialNumber)

export const isTime = ({ assignment }: Update, { now, timeZone }: UpdateContext): boolean => findStart(assignment, timeZone, now()) <= now()

import { fileNames } from '../state/folder.ts'

export type State = 'queued' | 'downloading' | 'postponed' | 'applying' | 'verifying' | 'settled' | 'failed'

interface StateRow {
  meaning: string
  /** In steps.ts; null: a final state. */
  step: string | null
  leadsTo: readonly State[]
  durable: string
}

/** An update is one assignment on one reader. It begins as `queued`, also after a restart. */
export const states = {
  queued: {
    meaning: 'It waits for its update time and for a free worker.',
    step: 'begin',
    leadsTo: ['downloading', 'postponed', 'applying', 'verifying', 'settled', 'failed'],
    durable: `The assignment, in \`${fileNames.desired}\`.`,
  },
  downloading: {
    meaning: 'Its time has come, and its content is not complete on this PC.',
    step: 'checkContent',
    leadsTo: ['queued'],
    durable: `What has arrived of the content, in \`${fileNames.contents}/\`.`,
  },
  postponed: {
    meaning: 'The reader is in use, or the last try went wrong. It waits for its next try.',
    step: 'retry',
    leadsTo: ['queued'],
    durable: 'As before. A restart resets the number of tries.',
  },
  applying: {
    meaning: 'The reader receives the content.',
    step: 'apply',
    leadsTo: ['postponed', 'verifying', 'failed'],
    durable: `What the reader ran before, in \`${fileNames.inProgress}\`.`,
  },
  verifying: {
    meaning: 'The reader is read again. If it is not well, it is returned to what it ran before.',
    step: 'verify',
    leadsTo: ['postponed', 'settled', 'failed'],
    durable: 'The same, and what is wrong with the reader once that is known.',
  },
  settled: {
    meaning: 'The reader runs what it was assigned.',
    step: null,
    leadsTo: [],
    durable: `The outcome \`applied\`, in \`${fileNames.journal}\`.`,
  },
  failed: {
    meaning: 'The reader does not run it. The outcome says why.',
    step: null,
    leadsTo: [],
    durable: `The outcome \`failed\`, in \`${fileNames.journal}\`.`,
  },
} as const satisfies Record<State, StateRow>

type Table = typeof states
export type ActiveState = Exclude<State, 'settled' | 'failed'>
export type StepName<S extends ActiveState> = Table[S]['step']
export type NextState<S extends State> = Table[S]['leadsTo'][number]

export const rows = Object.entries(states) as [State, StateRow][]

export const isActive = (state: State): state is ActiveState => states[state].step !== null
export const mayLeadTo = (from: State, to: State): boolean => (states[from].leadsTo as readonly State[]).includes(to)

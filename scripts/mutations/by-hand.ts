import { type Place, runLanes } from './lanes.ts'
import type { Mutation } from './list/mutation.ts'

export interface Outcome {
  mutation: Mutation
  /** Why the mutation shows nothing; null where its test turned red. */
  problem: string | null
  seconds: number
}

/** Mutations of one test file. The lane that takes them first runs it without any. */
export type Batch = readonly Mutation[]

const mostOfABatch = 8

/** Makes one mutation after the other. */
export async function makeMutations(place: Place, mutations: readonly Mutation[], tell: (outcome: Outcome) => void): Promise<void> {
  const batches = [...Map.groupBy(mutations, ({ testFile }) => testFile).values()].flatMap(splitBatch)
  await runLanes('by-hand-lane.ts', place, batches, (outcomes: Outcome[]) => outcomes.forEach(tell))
}

function splitBatch(mutations: readonly Mutation[]): Batch[] {
  const count = Math.ceil(mutations.length / mostOfABatch)
  return Array.from({ length: count }, (_, number) => mutations.slice(number * mostOfABatch, (number + 1) * mostOfABatch))
}

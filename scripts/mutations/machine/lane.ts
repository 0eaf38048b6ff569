// A program for run.ts: makes the mutants that it is sent in a copy (second argument) of the checkout (first argument).
import { answerJobs } from '../lanes.ts'
import { type Chosen, Sandbox } from '../sandbox.ts'
import type { Mutant } from './mutants.ts'

export interface Job {
  mutant: Mutant
  /** Tests to run, round after round, until one turns red. */
  rounds: Chosen[][]
}

export interface Answer {
  mutant: Mutant
  /** The test that turned red; null where none did. */
  killer: string | null
  seconds: number
}

const [root = '', folder = ''] = process.argv.slice(2)
const sandbox = await Sandbox.open(root, folder, { bail: 1 })
answerJobs(make, () => sandbox.close())

async function make({ mutant, rounds }: Job): Promise<Answer> {
  const start = performance.now()
  const { start: from, end, replacement } = mutant
  const killer = await sandbox.withChange(
    mutant.file,
    (whole) => whole.slice(0, from) + replacement + whole.slice(end),
    async () => {
      for (const round of rounds) {
        const { states, error } = await sandbox.runTests(round)
        const [red] = [...states].find(([, state]) => state === 'failed') ?? []
        if (red !== undefined || error !== undefined) return red ?? error!
      }
      return null
    },
  )
  return { mutant, killer, seconds: (performance.now() - start) / 1000 }
}

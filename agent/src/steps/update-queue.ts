import type { Assignment } from '../state/assignment.ts'
import { isActive } from './states.ts'
import type { Update } from './update.ts'

const makeKey = ({ publication }: Assignment, serialNumber: string) => `${publication} ${serialNumber}`

/** The updates that have no outcome yet, and those that wait for a worker. One update per reader is taken at a time. */
export class UpdateQueue {
  readonly #updates = new Map<string, Update>()
  readonly #taken = new Map<string, Update>()
  #waiting: Update[] = []

  updateFor(assignment: Assignment, serialNumber: string): Update {
    const key = makeKey(assignment, serialNumber)
    const update = this.#updates.get(key) ?? { assignment, serialNumber, state: 'queued', content: null, tries: 0, notBefore: 0 }
    // It may be halted, or have another stop time, since the last look.
    update.assignment = assignment
    this.#updates.set(key, update)
    return update
  }

  fill(updates: readonly Update[]): void {
    this.#waiting = updates.filter((update) => this.#taken.get(update.serialNumber) !== update)
  }

  /** The first update whose reader is free; undefined for none. The caller releases it. */
  take(): Update | undefined {
    const index = this.#waiting.findIndex(({ serialNumber }) => !this.#taken.has(serialNumber))
    const [update] = index < 0 ? [] : this.#waiting.splice(index, 1)
    if (update) this.#taken.set(update.serialNumber, update)
    return update
  }

  release(update: Update): void {
    this.#taken.delete(update.serialNumber)
    if (!isActive(update.state)) this.#updates.delete(makeKey(update.assignment, update.serialNumber))
  }

  keepOnly(assignments: readonly Assignment[]): void {
    const publications = new Set(assignments.map(({ publication }) => publication))
    for (const [key, { assignment }] of this.#updates) if (!publications.has(assignment.publication)) this.#updates.delete(key)
  }

  nextTry(now: number): number {
    return Math.min(...[...this.#updates.values()].map(({ notBefore }) => notBefore).filter((at) => at > now))
  }
}

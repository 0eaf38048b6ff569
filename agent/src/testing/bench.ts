import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Desired, DesiredConfiguration, Outcome, Progress, Reapplication } from '@lectern/contract/hosts.ts'
import { onTestFinished } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { connectTo } from '../server/client.ts'
import { Contents } from '../state/contents.ts'
import { DesiredState } from '../state/desired-state.ts'
import { Downloads } from '../state/downloads.ts'
import { type Folder, makeFolder } from '../state/folder.ts'
import { Given, namingDriver } from '../state/given.ts'
import { InProgress } from '../state/in-progress.ts'
import { Journal } from '../state/journal.ts'
import { type Applier, createApplier } from '../steps/applier.ts'
import type { UpdateContext } from '../steps/update.ts'
import { newFolder } from './folder.ts'
import { memoryLog } from './log.ts'
import { makeDesired, sha256 } from './publications.ts'

const never = new AbortController().signal
const mostLooks = 1_000

export interface Bench {
  applier: Applier
  context: UpdateContext
  folder: Folder
  desired: DesiredState
  journal: Journal
  /** Makes publications desired, with their scripts on this PC. */
  publish(...all: [configuration: DesiredConfiguration, script: string][]): Promise<void>
  /** Makes these parts desired, with the texts on this PC. */
  desire(parts: Partial<Desired>, ...texts: string[]): Promise<void>
  reapply(configuration: DesiredConfiguration, reapplication: Reapplication): Promise<void>
  /** Looks once and waits until no reader is being updated. Returns milliseconds until the next look. */
  look(): Promise<number>
  /** Looks until `condition` holds, at the moments that the applier asks for. */
  lookUntil(condition: () => boolean): Promise<void>
  outcomes(): Pick<Outcome, 'serialNumber' | 'outcome' | 'reason'>[]
  clock: { now: number }
  /** Transitions, each as `queued → applying`. */
  transitions: string[]
  progress: Progress[]
  log: string[]
}

/** All that updates the readers of `driver`, with a clock that the test sets. Without a `server` nothing is downloaded. */
export async function createBench(
  driver: Driver,
  { timeZone = 'UTC', state = newFolder(), server = 'http://127.0.0.1:9' } = {},
): Promise<Bench> {
  const folder = await makeFolder(state)
  const desired = await DesiredState.open(folder.desired, 'zone', 'ICU')
  const journal = await Journal.open(folder.journal)
  onTestFinished(() => journal.close())
  const clock = { now: Date.UTC(2026, 0, 10, 12) }
  const transitions: string[] = []
  const progress: Progress[] = []
  const log = memoryLog()
  const context: UpdateContext = {
    driver: namingDriver(driver, await Given.open(folder.given)),
    desired,
    downloads: new Downloads(new Contents(folder.contents, connectTo(server, 'none')), log),
    journal,
    inProgress: await InProgress.open(folder.inProgress),
    log,
    now: () => new Date(clock.now),
    timeZone: () => timeZone,
    onProgress: ({ assignment: { publication }, serialNumber }, percent) => void progress.push({ publication, serialNumber, percent }),
    onTransition: (update, from) => void transitions.push(`${from} → ${update.state}`),
  }
  const applier = createApplier(context)
  const look = async () => {
    const next = await applier.look(never)
    await applier.idle()
    return next
  }
  return {
    applier,
    context,
    folder,
    desired,
    journal,
    async publish(...all) {
      for (const [configuration, script] of all) writeFileSync(join(folder.contents, configuration.contentHash), script)
      await desired.take(makeDesired({ configurations: all.map(([configuration]) => configuration) }))
    },
    async desire(parts, ...texts) {
      for (const text of texts) writeFileSync(join(folder.contents, sha256(text)), text)
      const applied = new Set(journal.applied().map(({ publication }) => publication))
      await desired.take(makeDesired(parts), (publication) => applied.has(publication))
    },
    async reapply(configuration, reapplication) {
      await desired.take(makeDesired({ configurations: [configuration], reapplications: [reapplication] }))
    },
    look,
    async lookUntil(condition) {
      for (let looks = 0; !condition(); looks += 1) {
        if (looks === mostLooks) throw new Error(`Not after ${mostLooks} looks: ${transitions.join(', ')}`)
        const next = await look()
        if (!condition()) clock.now += Math.max(next, 1)
      }
    },
    outcomes: () => journal.unsent().map(({ serialNumber, outcome, reason }) => ({ serialNumber, outcome, reason })),
    clock,
    transitions,
    progress,
    log: log.lines,
  }
}

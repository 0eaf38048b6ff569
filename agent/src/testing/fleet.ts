import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Desired, DesiredConfiguration, DesiredFirmware, Outcome, Progress, Reapplication } from '@lectern/contract/hosts.ts'
import { onTestFinished } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { simulatedDriver, stopReaders } from '../drivers/simulated/driver.ts'
import { type ReaderEvent, readerLogFile, readReaderLog } from '../drivers/simulated/reader-log.ts'
import type { FleetOptions } from '../drivers/simulated/readers-socket.ts'
import { connectTo } from '../server/client.ts'
import { type Content, contentsIn } from '../state/contents.ts'
import { type DesiredState, openDesired } from '../state/desired-state.ts'
import { downloadsInto } from '../state/downloads.ts'
import { makeFolder } from '../state/folder.ts'
import { openBegun } from '../state/in-progress.ts'
import { Journal } from '../state/journal.ts'
import { type Applying, applying } from '../steps/applier.ts'
import { newFolder } from './folder.ts'
import { keptLog } from './log.ts'

const never = new AbortController().signal

/** Simulated readers in a process of their own, for the time of a test. */
export async function startFleet(options: Partial<FleetOptions> = {}): Promise<{ folder: string; driver: Driver; options: FleetOptions }> {
  const folder = newFolder()
  const full = { readers: 7, seed: 3, applyMilliseconds: 0, failShare: 0, ...options }
  const driver = await simulatedDriver(folder, full, never)
  onTestFinished(async () => {
    await driver.close()
    await stopReaders(folder)
  })
  return { folder, driver, options: full }
}

/** A reader's own log. */
export const eventsOf = (folder: string, serialNumber: string): ReaderEvent[] =>
  readReaderLog(readerLogFile(join(folder, 'readers'), serialNumber))

export const hashBody = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A publication of a script with this text for CR2700. */
export const getPublication = (revision: number, script: string, more: Partial<DesiredConfiguration> = {}): DesiredConfiguration => ({
  publication: `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`,
  deviceType: 'CR2700',
  revision,
  content: 'file',
  contentHash: hashBody(script),
  size: script.length,
  fileName: `v${revision}.js`,
  updateTime: '02:00',
  stopTime: null,
  publishedAt: new Date(Date.UTC(2026, 0, 10, 12, 0, revision)).toISOString(),
  atOnce: false,
  halted: false,
  ...more,
})

/** A publication of a firmware for CR2700 whose file is this text. */
export function getFirmware(revision: number, text: string, more: Partial<DesiredFirmware> = {}): DesiredFirmware {
  const { content: _, ...publication } = getPublication(revision, text)
  const id = `00000000-0000-4000-9000-${String(revision).padStart(12, '0')}`
  return { ...publication, publication: id, version: `5.${revision}.0`, fileName: `v${revision}.crvfw`, previous: [], ...more }
}

/** All bytes of a content. */
export async function toBytes({ open }: Pick<Content, 'open'>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of open()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What the server answers that is asked what the zone's readers shall run. */
export const toResponse = (parts: Partial<Desired>): Desired => ({
  zoneId: 'zone',
  zoneName: 'ICU',
  configurations: [],
  firmware: [],
  reapplications: [],
  // Tests that are not about batteries have fleets with old ones.
  minBattery: 0,
  ...parts,
})

export interface Bench {
  applying: Applying
  desired: DesiredState
  journal: Journal
  /** Makes publications desired, with their scripts at hand. */
  publish(...all: [configuration: DesiredConfiguration, script: string][]): Promise<void>
  /** Makes this desired, with the texts at hand, whatever they are for. */
  desire(parts: Partial<Desired>, ...texts: string[]): Promise<void>
  /** Has a reader given a publication once more. */
  reapply(configuration: DesiredConfiguration, reapplication: Reapplication): Promise<void>
  /** Looks until `condition` holds. */
  lookUntil(condition: () => boolean): Promise<void>
  outcomes(): Pick<Outcome, 'serialNumber' | 'outcome' | 'reason'>[]
  /** What the clock says. */
  clock: { now: number }
  wanted: string[]
  /** What was said of progress. */
  told: Progress[]
}

/** Everything that applies, on the real readers of `driver`, with a clock that the test sets. */
export async function applyTo(driver: Driver, { timeZone = 'UTC', state = newFolder() } = {}): Promise<Bench> {
  const folder = await makeFolder(state)
  const desired = await openDesired(folder.desired, 'zone', 'ICU')
  const journal = await Journal.open(folder.journal)
  onTestFinished(() => journal.close())
  const clock = { now: Date.UTC(2026, 0, 10, 12) }
  const wanted: string[] = []
  const told: Progress[] = []
  const apply = applying({
    driver,
    desired,
    downloads: downloadsInto(contentsIn(folder.contents, connectTo('http://127.0.0.1:9', 'none')), keptLog()),
    journal,
    begun: await openBegun(folder.begun),
    progress: ({ publication }, serialNumber, percent) => void told.push({ publication, serialNumber, percent }),
    log: keptLog(),
    now: () => new Date(clock.now),
    timeZone: () => timeZone,
    settled() {},
    wanted: (what) => void wanted.push(what),
  })
  return {
    applying: apply,
    desired,
    journal,
    async publish(...all) {
      for (const [configuration, script] of all) writeFileSync(join(folder.contents, configuration.contentHash), script)
      await desired.take(toResponse({ configurations: all.map(([configuration]) => configuration) }))
    },
    async desire(parts, ...texts) {
      for (const text of texts) writeFileSync(join(folder.contents, hashBody(text)), text)
      const applied = new Set(journal.applied().map(({ publication }) => publication))
      await desired.take(toResponse(parts), (publication) => applied.has(publication))
    },
    async reapply(configuration, reapplication) {
      await desired.take(toResponse({ configurations: [configuration], reapplications: [reapplication] }))
    },
    async lookUntil(condition) {
      while (!condition()) {
        const next = await apply.look(never)
        await apply.idle()
        // The clock goes on to the next moment that matters.
        if (!condition()) clock.now += Math.max(next, 1)
      }
    },
    outcomes: () => journal.unsent().map(({ serialNumber, outcome, reason }) => ({ serialNumber, outcome, reason })),
    clock,
    wanted,
    told,
  }
}

import type { Outcome, ReportedDevice } from '@lectern/contract/hosts.ts'
import { backoff } from '../backoff.ts'
import type { Driver } from '../drivers/driver.ts'
import { Stop } from '../exit-codes.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import type { Server } from '../server/client.ts'
import { Refusal, Unavailable } from '../server/errors.ts'
import { listenForDesired } from '../server/events.ts'
import { watchReachability } from '../server/reachability.ts'
import { type Contents, DamagedContent } from '../state/contents.ts'
import type { DesiredState } from '../state/desired-state.ts'
import { downloadsInto } from '../state/downloads.ts'
import type { Begun } from '../state/in-progress.ts'
import type { Journal } from '../state/journal.ts'
import { applying } from '../steps/applier.ts'
import { Bell, pause } from '../wakeup.ts'
import { checkIns } from './check-ins.ts'
import { reportsTo } from './outcomes.ts'
import { progressTo } from './progress.ts'

/** What a check-in came to, for `lectern-agent status`. */
export interface LastCheckIn {
  at: string
  readers: number
  refused: number
}

export interface AgentParts {
  server: Server
  driver: Driver
  desired: DesiredState
  contents: (server: Server) => Contents
  journal: Journal
  begun: Begun
  log: Log
  agentVersion: string
  /** The host's time zone at this moment. */
  timeZone: () => string
  /** Milliseconds between check-ins, and between two looks at the desired state when no hint comes. */
  poll: number
  now: () => Date
  checkedIn: (last: LastCheckIn) => Promise<void>
}

/** Milliseconds in which outcomes are gathered into one report, and changed readers into one check-in. */
const gathering = 300
/** Milliseconds that readers which are being written to have when the agent is asked to end. */
const farewell = 15_000

/**
 * Checks in, learns, downloads, applies and reports until `signal` aborts; a reader that is being written to is finished first.
 * Throws `Stop` when the server refuses this host for good.
 */
export async function runAgent(parts: AgentParts, signal: AbortSignal): Promise<void> {
  const { driver, desired, contents, journal, log, now } = parts
  const ending = new AbortController()
  const over = AbortSignal.any([signal, ending.signal])
  const server = watchReachability(parts.server, log, now)
  const progress = progressTo(server)
  const downloads = downloadsInto(contents(server), log, ({ publications }, percent) => {
    for (const publication of publications) progress.tell(publication, null, percent)
    bells.progress.ring()
  })
  const checkIn = checkIns(server, log, parts.agentVersion)
  const reports = reportsTo(server, journal, log, checkIn.isKnown)
  const bells = {
    checkIn: new Bell(),
    desired: new Bell(),
    content: new Bell(),
    look: new Bell(),
    outcomes: new Bell(),
    progress: new Bell(),
  }
  const changed = new Set<string>()
  let nextFullCheckIn = 0
  let hasCheckedIn = false
  let lastEventId: string | null = null

  const apply = applying({
    driver,
    desired,
    downloads,
    journal,
    begun: parts.begun,
    log,
    now,
    timeZone: parts.timeZone,
    progress({ publication }, serialNumber, percent) {
      progress.tell(publication, serialNumber, percent)
      bells.progress.ring()
    },
    settled({ publication, serialNumber }: Outcome) {
      progress.forget(publication, serialNumber)
      bells.outcomes.ring()
      changed.add(serialNumber)
      bells.checkIn.ring()
    },
    wanted: (what) => bells[what].ring(),
  })

  async function readers(): Promise<ReportedDevice[]> {
    // Looked up before they are read: what a reader runs then is what it runs after it had these publications, never before.
    const configured = broughtTo('configuration', desired, journal)
    const updated = broughtTo('firmware', desired, journal)
    try {
      const all = await driver.list(over)
      return all.map((reader) => ({
        ...reader,
        publication: configured.get(reader.serialNumber) ?? null,
        firmwarePublication: updated.get(reader.serialNumber) ?? null,
      }))
    } catch (error) {
      // The host itself is well: it checks in without readers, so that it does not look dead.
      if (!over.aborted) log.warn(`No reader can be seen: ${sentence(error)}`)
      return []
    }
  }

  async function tellReaders(): Promise<void> {
    const isFull = now().getTime() >= nextFullCheckIn || nextFullCheckIn - now().getTime() > parts.poll
    if (!isFull) {
      await pause(gathering, over)
      const serials = new Set(changed)
      const some = (await readers()).filter(({ serialNumber }) => serials.has(serialNumber))
      if (some.length > 0) await checkIn.send(some, parts.timeZone(), over)
      for (const serial of serials) changed.delete(serial)
      return
    }
    const all = await readers()
    const { accepted, refused } = await checkIn.send(all, parts.timeZone(), over)
    nextFullCheckIn = now().getTime() + parts.poll
    // Only now does the server know the readers that outcomes speak of.
    hasCheckedIn = true
    bells.outcomes.ring()
    await parts.checkedIn({ at: now().toISOString(), readers: accepted, refused })
  }

  async function report(): Promise<void> {
    if (!hasCheckedIn || journal.unsent().length === 0) return
    await pause(gathering, over)
    await reports.send(over)
  }

  async function learn(): Promise<void> {
    const answer = await server.call('getDesired', {}, over)
    // A re-application stands for its publication.
    const of = new Map(desired.orders.map((order) => [order.publication, order.of]))
    const applied = new Set(journal.applied().map(({ publication }) => of.get(publication) ?? publication))
    if (!(await desired.take(answer, (publication) => applied.has(publication)))) return
    await journal.keepOnly(new Set([...desired.orders, ...desired.former].map(({ publication }) => publication)))
    bells.content.ring()
    bells.look.ring()
  }

  async function download(): Promise<void> {
    try {
      await downloads.fetchAll(desired.contents, over)
    } catch (error) {
      // No longer desired: what is desired instead is asked for.
      if (!(error instanceof Refusal && error.status === 404)) throw error
      bells.desired.ring()
      throw new Unavailable(error.message)
    } finally {
      bells.look.ring()
    }
  }

  /** Does `work` again and again: when its bell rings, after `every` milliseconds at the latest, later and later while it fails. */
  async function repeat(bell: Bell, every: () => number, work: () => Promise<void>): Promise<void> {
    for (let failures = 0; !over.aborted; ) {
      try {
        await work()
        failures = 0
        await bell.wait(every(), over)
      } catch (error) {
        if (over.aborted) return
        failures += 1
        await pause(afterFailure(error, failures), over)
      }
    }
  }

  /** Milliseconds until the next attempt. Throws `Stop` where there is no point in one. */
  function afterFailure(error: unknown, failures: number): number {
    if (error instanceof Refusal && [401, 403, 404, 410].includes(error.status)) throw refusedForGood(error)
    if (!(error instanceof Unavailable || error instanceof DamagedContent)) log.warn(sentence(error))
    return Math.max(backoff(failures), error instanceof Unavailable ? (error.retryAfter ?? 0) : 0)
  }

  /** The stream is a hint only, so its loss is no news: the poll goes on finding what changes. */
  async function listen(): Promise<void> {
    for (let failures = 0; !over.aborted; ) {
      try {
        await listenForDesired(server, lastEventId, {
          signal: over,
          opened() {
            failures = 0
            // Something may have changed while nobody listened.
            bells.desired.ring()
          },
          heard(_event, id) {
            lastEventId = id ?? lastEventId
            bells.desired.ring()
          },
        })
      } catch (error) {
        if (over.aborted) return
        failures += 1
        if (error instanceof Refusal && error.status === 401) throw refusedForGood(error)
        await pause(Math.max(backoff(failures), error instanceof Unavailable ? (error.retryAfter ?? 0) : 0), over)
      }
    }
  }

  async function look(): Promise<void> {
    for (let failures = 0; !over.aborted; ) {
      try {
        const next = await apply.look(over)
        failures = 0
        await bells.look.wait(next, over)
      } catch (error) {
        if (over.aborted) return
        failures += 1
        log.warn(sentence(error))
        await pause(backoff(failures), over)
      }
    }
  }

  const loops = [
    repeat(bells.checkIn, () => nextFullCheckIn - now().getTime(), tellReaders),
    repeat(bells.desired, () => parts.poll, learn),
    repeat(bells.content, () => parts.poll, download),
    repeat(bells.outcomes, () => parts.poll, report),
    repeat(
      bells.progress,
      () => parts.poll,
      () => progress.send(over),
    ),
    listen(),
    look(),
  ]
  try {
    await Promise.all(loops)
  } finally {
    ending.abort()
    await Promise.allSettled(loops)
    const left = new AbortController()
    await Promise.race([apply.idle(), pause(farewell, left.signal)])
    left.abort()
  }
}

/** The desired publication of configurations, or of firmware, that each reader has been brought to, by serial number. */
function broughtTo(what: 'configuration' | 'firmware', desired: DesiredState, journal: Journal): Map<string, string> {
  const orders = desired.orders.filter(({ kind }) => (kind === 'firmware') === (what === 'firmware'))
  const wanted = new Map(orders.map(({ publication, of }) => [publication, of]))
  const brought = journal.applied().flatMap(({ publication, serialNumber }): [string, string][] => {
    const of = wanted.get(publication)
    return of === undefined ? [] : [[serialNumber, of]]
  })
  return new Map(brought)
}

function refusedForGood(refusal: Refusal): Stop {
  return new Stop(
    'refused',
    `The server no longer accepts this host PC: ${refusal.message} Its credential was revoked or its zone is gone. What the agent knows is kept in its state folder; enrol it again with "lectern-agent enroll … --replace".`,
    refusal,
  )
}

import * as z from 'zod/mini'
import { DeviceModel } from '../devices/device-models.ts'
import { Direction } from '../devices/devices.ts'
import { endpoint, organization } from '../http/endpoint.ts'
import { PageFacts, Paging } from '../http/paging.ts'
import type { Permission } from '../http/permissions.ts'
import { ContentKind } from '../publications/content-kind.ts'
import { OutcomeCode } from '../publications/outcome-code.ts'
import { mostPhases, RolloutPhase } from '../publications/phases.ts'
import { Run } from '../publications/runs.ts'
import { SafetyLimit } from '../publications/safety-limit.ts'
import { UpdateTime } from '../publications/update-time.ts'
import { formatNames } from '../text/names.ts'
import { Text, Uuid } from '../text/text.ts'
import { params, rolloutChanges } from './rollout-changes.ts'
import { RolloutChoices, RolloutListFilter, zoneColumns, zoneFilters } from './rollout-filters.ts'

/** Replaced: something newer came before the reader's turn. */
export const readerStates = ['applied', 'downloading', 'waiting', 'silent', 'failed', 'replaced'] as const
export const ReaderState = z.enum(readerStates)
export type ReaderState = z.infer<typeof ReaderState>

/** A reader counts in exactly one state; twice where it gets two contents. */
export const RolloutCounts = z.object({
  readers: z.int(),
  applied: z.int(),
  downloading: z.int(),
  waiting: z.int(),
  silent: z.int(),
  failed: z.int(),
  replaced: z.int(),
})
export type RolloutCounts = z.infer<typeof RolloutCounts>

const noReaders: RolloutCounts = { readers: 0, applied: 0, downloading: 0, waiting: 0, silent: 0, failed: 0, replaced: 0 }

export function sumOfCounts(all: readonly RolloutCounts[]): RolloutCounts {
  const sum = { ...noReaders }
  for (const counts of all) for (const name of Object.keys(sum) as (keyof RolloutCounts)[]) sum[name] += counts[name]
  return sum
}

/**
 * The states that matter most come first.
 * scheduled: before its update time, the first or, past the stop time, the next.
 * waitingForPhase: all of its readers that are not done are in later phases.
 * replaced: something newer or a roll back took the place of some of it.
 * complete: all readers that it was for have an outcome.
 * empty: without readers.
 * underWay: any of updating, waiting for its host or phase, scheduled, or partly halted; only for rollouts of more than 20 zones and
 * models, whose parts have the others.
 */
export const RolloutState = z.enum([
  'updating',
  'halted',
  'waitingForHost',
  'scheduled',
  'waitingForPhase',
  'underWay',
  'replaced',
  'complete',
  'empty',
])
export type RolloutState = z.infer<typeof RolloutState>

/** The first state, in the order above, that a part has. Parts without readers count only where all are without. */
export function overallState(parts: readonly { state: RolloutState; readers: number }[]): RolloutState {
  const some = parts.some(({ readers }) => readers > 0) ? parts.filter(({ readers }) => readers > 0) : parts
  return RolloutState.options.find((one) => some.some(({ state }) => state === one)) ?? 'empty'
}

interface PartState {
  state: RolloutState
  phaseWaitedFor?: number | undefined
}

// The state, and the first phase that a part waits for, where one does.
export function combineStates(parts: readonly (PartState & { counts: Pick<RolloutCounts, 'readers'> })[]): PartState {
  const state = overallState(parts.map((part) => ({ state: part.state, readers: part.counts.readers })))
  const phases = parts.flatMap(({ phaseWaitedFor }) => phaseWaitedFor ?? [])
  return state === 'waitingForPhase' ? { state, phaseWaitedFor: Math.min(...phases) } : { state }
}

const Content = z.object({ kind: ContentKind, name: z.string() })
export type RolloutContent = z.infer<typeof Content>

/**
 * One content for one model in one zone.
 * `zoneId`: null where the zone was deleted.
 * `isCurrent`: still desired.
 * `haltedByLimit`, `haltedByGate`: halted by the safety limit, or by a phase's gate; else by a user.
 * `runs`: when its hosts let readers begin; empty without a host.
 * `plannedAnew`: when the portal planned them anew, as the time zone of a host PC changed, and which one it was `before`.
 * `hostPercent`: the host PC's own download, while it runs.
 * `forReaders`: it is for some readers alone, which get it back by a roll back.
 * `withdrawn`: a roll back has ended it.
 * `simulated`: some of its readers are simulated.
 */
export const RolloutPart = z.object({
  publication: Uuid,
  zoneId: z.nullable(Uuid),
  zone: z.string(),
  deviceType: DeviceModel,
  content: Content,
  revision: z.int(),
  state: RolloutState,
  phaseWaitedFor: z.optional(z.int()),
  counts: RolloutCounts,
  isCurrent: z.boolean(),
  updateTime: UpdateTime,
  atOnce: z.boolean(),
  runs: z.array(Run),
  plannedAnew: z.optional(z.object({ at: z.iso.datetime(), timeZone: z.string(), before: z.string() })),
  haltedAt: z.optional(z.iso.datetime()),
  haltedBy: z.optional(z.string()),
  haltedByLimit: z.optional(z.literal(true)),
  haltedByGate: z.optional(z.literal(true)),
  hostPercent: z.optional(z.int()),
  forReaders: z.optional(z.literal(true)),
  withdrawn: z.optional(z.literal(true)),
  simulated: z.optional(z.literal(true)),
})
export type RolloutPart = z.infer<typeof RolloutPart>

/**
 * `publishedBy`: absent where that user is deleted.
 * `rollsBack`: the rollout that it undoes. `rolledBackBy`: the newest that undoes it. `isRolledBackInPart`: some of it is still desired.
 * `zones`: the first three names.
 * `runs`: of the parts that wait for theirs.
 * `simulated`: some of its readers are simulated.
 * `title`: from its contents. `name`: given by a person.
 * `zoneWords`: how its zones were chosen; absent for one zone, and for callers who do not see all of them.
 * `isPartial`: it has further zones, which the caller's role does not see; all figures are without them.
 * In lists, silent readers count as waiting. In the state `underWay`, downloading readers do so too, everywhere, and there are no `runs`.
 */
export const Rollout = z.object({
  id: Uuid,
  title: z.string(),
  name: z.optional(z.string()),
  zoneWords: z.optional(z.string()),
  publishedAt: z.iso.datetime(),
  publishedBy: z.optional(z.string()),
  rollsBack: z.optional(Uuid),
  rolledBackBy: z.optional(Uuid),
  isRolledBackInPart: z.optional(z.literal(true)),
  kinds: z.array(ContentKind),
  zones: z.array(z.string()),
  zoneCount: z.int(),
  state: RolloutState,
  phaseWaitedFor: z.optional(z.int()),
  runs: z.array(Run),
  counts: RolloutCounts,
  simulated: z.optional(z.literal(true)),
  isPartial: z.optional(z.literal(true)),
})
export type Rollout = z.infer<typeof Rollout>

/** `totalCount`: of zones. */
export const RolloutPartPage = z.object({ partList: z.array(RolloutPart), ...PageFacts })
export type RolloutPartPage = z.infer<typeof RolloutPartPage>

export const RolloutPage = z.object({ rolloutList: z.array(Rollout), ...PageFacts })
export type RolloutPage = z.infer<typeof RolloutPage>

export const RolloutReader = z.object({
  serialNumber: z.string(),
  deviceType: DeviceModel,
  zone: z.string(),
  content: Content,
  state: ReaderState,
  percent: z.optional(z.int()),
  reason: z.optional(z.string()),
  code: z.optional(OutcomeCode),
  at: z.optional(z.iso.datetime()),
  simulated: z.optional(z.literal(true)),
})
export type RolloutReader = z.infer<typeof RolloutReader>

/** `hasMore`: there are more than `totalCount`, as no count is kept. */
export const RolloutReaderPage = z.object({ readerList: z.array(RolloutReader), ...PageFacts, hasMore: z.optional(z.literal(true)) })
export type RolloutReaderPage = z.infer<typeof RolloutReaderPage>

/**
 * Also sent by each event of its stream; its size grows with neither zones nor readers.
 * `isSummed`: it has more than 20 parts, and downloading or silent readers count as waiting.
 * `current`: how many parts are still desired.
 * `isHalted`: some of them are halted. `haltable`: readers that would wait if all were.
 * `canRollBack`: some of it is still desired.
 * `events`, `failed`: newest first. `retryable`: failed readers that can be retried.
 */
export const RolloutDetail = z.extend(Rollout, {
  isSummed: z.boolean(),
  models: z.array(DeviceModel),
  current: z.int(),
  isHalted: z.boolean(),
  haltable: z.int(),
  canRollBack: z.boolean(),
  events: z.array(RolloutReader),
  failed: z.array(RolloutReader),
  retryable: z.int(),
  /**
   * For a roll back: readers of what it took back that get nothing back. `notKnown`: their host PC has not confirmed yet that it stopped.
   */
  taken: z.optional(z.object({ released: z.int(), notKnown: z.int() })),
  safetyLimit: SafetyLimit,
  phases: z.array(RolloutPhase),
  at: z.iso.datetime(),
})
export type RolloutDetail = z.infer<typeof RolloutDetail>

export const mostRuns = 40

/** When waiting readers begin: the first of `runCount` instants. */
export const RolloutRuns = z.object({ runs: z.array(Run), runCount: z.int() })
export type RolloutRuns = z.infer<typeof RolloutRuns>

const listed = (names: string[]): string => formatNames(names, names.length > 2 ? 1 : 2)

export function rolloutTitle(contents: readonly RolloutContent[]): string {
  const listNames = (only: ContentKind) => [...new Set(contents.filter(({ kind }) => kind === only).map(({ name }) => name))].sort()
  const [configurations, firmware] = [listed(listNames('configuration')), listed(listNames('firmware'))]
  if (firmware === '') return configurations
  return configurations === '' ? `Firmware ${firmware}` : `${configurations} with firmware ${firmware}`
}

export const permissionsFor = (kinds: readonly ContentKind[]): Permission[] =>
  kinds.map((kind) => (kind === 'firmware' ? 'manage:firmware' : 'manage:cfg'))

const base = '/api/codedm/organization/{organizationId}/rollouts' as const
const one = `${base}/{id}` as const

export const rolloutEndpoints = {
  listRollouts: endpoint({
    method: 'GET',
    path: base,
    access: organization(),
    limitedRole: 'zones',
    shows: ['rollouts', 'schedule'],
    summary: 'A page of rollouts, the newest first; PageNumber starts at 0',
    query: z.extend(Paging, RolloutListFilter.shape),
    response: RolloutPage,
  }),
  streamRollouts: endpoint({
    method: 'GET',
    path: `${base}/events`,
    access: organization(),
    limitedRole: 'zones',
    shows: [],
    summary:
      'Says at once, and whenever the rollouts of an organization may have changed, that they are to be read again, as the event "rollouts"; a stream ends after some minutes and is opened again',
    events: true,
  }),
  getRolloutChoices: endpoint({
    method: 'GET',
    path: `${base}/choices`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['rollouts'],
    summary: 'The people that published the rollouts of an organization',
    response: RolloutChoices,
  }),
  getRollout: endpoint({
    method: 'GET',
    path: one,
    access: organization(),
    limitedRole: 'zones',
    shows: ['rollouts', 'schedule'],
    summary: 'What became of a publish: its sums, what failed last, what happened last',
    params,
    response: RolloutDetail,
  }),
  streamRollout: endpoint({
    method: 'GET',
    path: `${one}/events`,
    access: organization(),
    limitedRole: 'zones',
    shows: [],
    summary:
      'Sends the rollout, without its zones and readers, at once and whenever it has changed, as the event "rollout"; a stream ends after some minutes and is opened again',
    params,
    events: true,
  }),
  listRolloutParts: endpoint({
    method: 'GET',
    path: `${one}/parts`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['rollouts', 'schedule'],
    summary:
      'What became of a publish in each zone and model; a page is of zones, by their names, failed readers or readers without an outcome, and has all models of each',
    params,
    query: z.extend(Paging, {
      textFilter: z._default(Text(200), ''),
      state: z.optional(z.enum(zoneFilters)),
      ColumnName: z._default(z.enum(zoneColumns), 'Name'),
      Direction: z._default(Direction, 'Ascending'),
    }),
    response: RolloutPartPage,
  }),
  listRolloutRuns: endpoint({
    method: 'GET',
    path: `${one}/runs`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['rollouts', 'schedule'],
    summary: `When the readers of a publish begin that wait for their time, of all its zones together; the first ${mostRuns} instants`,
    params,
    response: RolloutRuns,
  }),
  listRolloutReaders: endpoint({
    method: 'GET',
    path: `${one}/readers`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['rollouts'],
    summary: 'A page of the readers of a rollout, in the order in which their zones and models were published to',
    params,
    query: z.extend(Paging, {
      zone: z.optional(Uuid),
      model: z.optional(DeviceModel),
      state: z.optional(ReaderState),
      phase: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(mostPhases + 1))),
      textFilter: z._default(Text(64), ''),
    }),
    response: RolloutReaderPage,
  }),
  ...rolloutChanges,
}

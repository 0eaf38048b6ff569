import { isDeepStrictEqual } from 'node:util'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { toContentKind } from '@lectern/contract/publications/content-kind.ts'
import type { RollBackInput } from '@lectern/contract/publications/roll-back.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { uuidv7 } from 'uuidv7'
import type * as z from 'zod/mini'
import { findRelease } from '../../firmware/firmware.ts'
import type { ContentStore } from '../../lib/content-store.ts'
import { findMissingPermission } from '../../lib/http/caller.ts'
import { Problem, refuseOtherCounts } from '../../lib/http/problem.ts'
import {
  endPublications,
  listPartPermissions,
  openPublications,
  openRollout,
  resolveContents,
  type Target,
} from '../../publications/publications.ts'
import { type Call, getChangeable, recordRolloutChange, refuseReplaced, requireCurrent } from '../changes.ts'
import { lockPublications, lockZones } from '../sql.ts'
import { toModelContent } from './model-content.ts'
import { planRollBack } from './plan.ts'
import { type PlannedReader, selectPlan } from './plan-sql.ts'
import { insertKept, markTakenBack, restoreDesired, selectReadersKeptFrom, selectTakenBack, type TakenBack } from './withdraw-sql.ts'

type Input = z.infer<typeof RollBackInput>
type Part = Target['part']

/**
 * Gives each reader back what it had, by a new rollout, whose id it returns. Readers that the rollout has not reached are released, and zones
 * desire again what they desired before (decision 72). `updateTime`: null for at once. Throws a Problem 409 where nothing of the rollout is
 * desired any more, or where the roll back would do something else than the user was shown.
 */
export async function rollBackRollout(
  call: Call & { contents: ContentStore },
  { updateTime, outsideWindow, expected, instead }: Input,
): Promise<{ id: string; message: string }> {
  const { db, actor, params, contents } = call
  const { organizationId } = params
  const zones = new Map((await lockZones(db, params)).map((zone) => [zone.id, zone]))
  const rollout = await getChangeable(call)
  // Reports lock these publications when they store outcomes, so what is planned is what happens.
  await lockPublications(
    db,
    organizationId,
    requireCurrent(rollout).map(({ id }) => id),
  )
  const missing = findMissingPermission(actor.caller, listPartPermissions(instead))
  if (missing) throw new Problem(403, `This needs the permission ${quotePermissions([missing])}.`)
  if (expected) {
    const { parts } = await planRollBack(db, params)
    if (!isDeepStrictEqual(parts, expected)) throw refuseOtherCounts('rollout')
  }
  // A zone to which the rollout was published while this call waited for locks is not locked, so it is left out.
  const isHeld = ({ zone }: { zone: number }) => zones.has(zone)
  const takenBack = (await selectTakenBack(db, params)).filter(isHeld)
  if (takenBack.length === 0) throw refuseReplaced()
  const readers = (await selectPlan(db, params)).filter(isHeld)
  const insteadContents = await resolveContents({ db, contents, organizationId }, instead)
  const targets = listTargets({ takenBack, readers, instead: insteadContents, updateTime }, zones)
  await holdReleases(call, targets)
  const id = uuidv7()
  await openRollout(db, { id, organizationId, actor, rollsBack: rollout.id, phases: [] })
  const publications = takenBack.map((one) => one.id)
  const keptBefore = await selectReadersKeptFrom(db, organizationId, publications)
  await endPublications(
    db,
    organizationId,
    takenBack.map(({ zone, model, kind }) => ({ zoneId: zone, model, kind })),
  )
  await markTakenBack(db, organizationId, { by: id, publications, zones: [...new Set(takenBack.map(({ zone }) => zone))] })
  const start = updateTime === null ? { when: 'now' as const, outsideWindow } : { updateTime }
  await openPublications(db, { actor, publishedBy: actor.caller.userId, organizationId, rollout: id, start, isRepresented: true }, targets)
  await restoreDesired(db, organizationId, listPlaces(takenBack))
  const restored = new Map(
    takenBack.flatMap(({ id: publication, replaced }) => (replaced === null ? [] : [[publication, replaced] as const])),
  )
  const keeping = [...readers, ...keptBefore].flatMap(({ publication, device }) => {
    const desired = restored.get(publication)
    return desired === undefined ? [] : [{ publication: desired, device }]
  })
  await insertKept(db, organizationId, keeping)
  // The entry has no zone words, so that it counts the zones that were rolled back.
  await recordRolloutChange(call, { ...rollout, zoneWords: undefined }, { change_type: 'rollBackRollout', new_value: id, rollout_id: id })
  return { id, message: describeResult(rollout.title, targets, new Set(readers.map(({ device }) => device)).size) }
}

/** `reached`: how many readers the rollout had reached. A reader with configuration and firmware counts once. */
function describeResult(title: string, targets: readonly Target[], reached: number): string {
  const back = new Set(targets.flatMap(({ readers }) => readers ?? [])).size
  if (back > 0)
    return `${counted(back, 'reader')} ${back === 1 ? 'gets' : 'get'} back what ${back === 1 ? 'it' : 'they'} had before ${title}.`
  if (reached === 0) return `Took ${title} back. It had reached no reader.`
  return `Took ${title} back. ${counted(reached, 'reader')} that it had reached ${reached === 1 ? 'keeps what it runs' : 'keep what they run'}.`
}

const toPlace = ({ zone, model, kind }: { zone: number; model: string; kind: string }): string => `${zone} ${model} ${kind}`

/** Returns one of the publications for each zone, model and kind. */
const listPlaces = (takenBack: readonly TakenBack[]): TakenBack[] => [...new Map(takenBack.map((one) => [toPlace(one), one])).values()]

interface Plan {
  takenBack: readonly TakenBack[]
  readers: readonly PlannedReader[]
  instead: readonly Part[]
  updateTime: string | null
}

/**
 * Returns a target for each content that readers of a zone, model and kind get. Where none of them gets anything, the target has no readers:
 * with it the roll back is shown for that zone too. Its content is what readers get in another zone, else what was taken back.
 */
function listTargets({ takenBack, readers, instead, updateTime }: Plan, zones: ReadonlyMap<number, Target['zone']>): Target[] {
  const byPlace = Map.groupBy(readers, toPlace)
  const places = listPlaces(takenBack).flatMap((place) => {
    const zone = zones.get(place.zone)
    return zone ? [{ ...place, zone, parts: listParts(place, byPlace.get(toPlace(place)) ?? [], instead) }] : []
  })
  const elsewhere = new Map(places.flatMap(({ model, kind, parts }) => parts.map(({ part }) => [`${model} ${kind}`, part] as const)))
  return places.flatMap(({ zone, parts, ...place }): Target[] => {
    const time = { updateTime: updateTime ?? place.updateTime }
    const part = elsewhere.get(`${place.model} ${place.kind}`) ?? toModelContent(place)
    return parts.length === 0 ? [{ zone, part, readers: [], ...time }] : parts.map((one) => ({ zone, ...one, ...time }))
  })
}

/** Returns the contents that readers of one zone, model and kind get, each once, with these readers. */
function listParts(
  { model, kind }: TakenBack,
  readers: readonly PlannedReader[],
  instead: readonly Part[],
): { part: Part; readers: number[] }[] {
  const chosen = instead.find((part) => part.model === model && toContentKind(part.content) === kind)
  const parts = new Map<string, { part: Part; readers: number[] }>()
  for (const reader of readers) {
    const part = reader.verdict === 'givenBack' ? toModelContent(reader) : reader.verdict === 'unavailable' ? chosen : undefined
    if (!part) continue
    const key = `${part.content} ${part.hash} ${part.fileName}`
    const known = parts.get(key) ?? { part, readers: [] }
    known.readers.push(reader.device)
    parts.set(key, known)
  }
  return [...parts.values()]
}

/** Keeps the releases that readers get from being withdrawn. Throws a Problem 409 where one was withdrawn after it was looked up. */
async function holdReleases({ db }: Call, targets: readonly Target[]): Promise<void> {
  const parts = targets.filter(({ readers }) => readers!.length > 0).map(({ part }) => part)
  const releases = new Map(parts.flatMap(({ model, version }) => (version === null ? [] : [[`${model} ${version}`, { model, version }]])))
  for (const [, { model, version }] of [...releases].sort(([one], [other]) => one.localeCompare(other)))
    await findRelease(db, model, version)
}

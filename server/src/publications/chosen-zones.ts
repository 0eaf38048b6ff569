import type { Phase } from '@lectern/contract/publications/phases.ts'
import type { PublishInput, ZoneChoice } from '@lectern/contract/publications/publish-to-zones.ts'
import { maxZones } from '@lectern/contract/publications/publish-to-zones.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { Problem } from '../lib/http/problem.ts'
import { selectChosenZones, selectNamesOfMissing } from './zone-choice-sql.ts'

type ChosenZone = Awaited<ReturnType<typeof selectChosenZones>>[number]

export const sortByName = (zones: readonly ChosenZone[]): ChosenZone[] =>
  zones.toSorted((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase(), 'en') || a.id - b.id)

const named = 5

/** Makes a Problem 409 whose detail has the first sentences and the advice. Each sentence is an error of its own. */
function refuse(sentences: readonly string[], advice: string, field = 'zones'): Problem {
  const more = sentences.length > named ? [`And ${sentences.length - named} more.`] : []
  const errors = sentences.map((message) => ({ field, message }))
  return new Problem(409, [...sentences.slice(0, named), ...more, advice].join(' '), { errors })
}

const again = 'Nothing was published. Look at the zones again.'

/**
 * Returns the chosen zones, locked unless `locks` is false. Throws a Problem 404 or 409 that names each zone that is not as the caller saw
 * it.
 */
export async function chooseZones(
  db: Database,
  scope: ZoneScope,
  { zones: choice, expectedZones, withoutHost }: Pick<PublishInput, 'zones' | 'expectedZones' | 'withoutHost'>,
  { locks = true } = {},
): Promise<ChosenZone[]> {
  const zones = await (locks ? lockChosen : selectChosenZones)(db, scope, choice)
  if ('ids' in choice) await refuseMissing(db, scope, choice.ids, zones)
  if (expectedZones !== undefined) await refuseOthers(db, scope, expectedZones, zones)
  if (zones.length === 0) throw new Problem(409, 'No zone matches.', { errors: [{ field: 'zones', message: 'No zone matches.' }] })
  if (zones.length > maxZones) throw new Problem(409, `${counted(zones.length, 'zone')} match. Choose at most ${maxZones}.`)
  const without = zones.filter(({ has_host }) => !has_host)
  if (without.length > 0 && withoutHost === undefined)
    throw refuse(
      without.map(({ name }) => `The zone "${name}" has no host PC.`),
      'Nothing was published. Such zones wait until they have one: to publish all the same, set "withoutHost" to true.',
    )
  return zones
}

/** Throws a Problem 409 that names each zone of a phase to which nothing is published, as it was deleted or never chosen. */
export async function requirePhaseZones(
  db: Database,
  scope: ZoneScope,
  phases: readonly Phase[],
  zones: readonly ChosenZone[],
): Promise<void> {
  const published = new Set(zones.map(({ public_id }) => public_id))
  const places = new Map(phases.flatMap((phase, index) => (phase.zones ?? []).map((id) => [id, index + 1] as const)))
  const others = [...places.keys()].filter((id) => !published.has(id))
  if (others.length === 0) return
  const names = new Map((await selectNamesOfMissing(db, scope, others)).map((row) => [row.public_id, row]))
  const describe = (id: string): string => {
    const known = names.get(id)
    if (!known) return `Phase ${places.get(id)} has a zone that does not exist.`
    return `The zone "${known.name}" of phase ${places.get(id)} ${known.is_deleted ? 'was deleted' : 'is not published to'}.`
  }
  throw refuse(others.map(describe), 'Nothing was published. Look at the phases again.', 'phases')
}

// Reads the zones again once they are locked: a statement that waited for a lock may return rows as they were before.
async function lockChosen(db: Database, scope: ZoneScope, choice: ZoneChoice): Promise<ChosenZone[]> {
  const zones = await selectChosenZones(db, scope, choice, { locks: true })
  return zones.length === 0 ? [] : selectChosenZones(db, scope, choice, { locks: true })
}

async function refuseMissing(db: Database, scope: ZoneScope, ids: readonly string[], zones: readonly ChosenZone[]): Promise<void> {
  const found = new Set(zones.map(({ public_id }) => public_id))
  const missing = [...new Set(ids)].filter((id) => !found.has(id))
  if (missing.length === 0) return
  const deleted = await selectNamesOfMissing(db, scope, missing)
  if (deleted.length === 0) throw new Problem(404, 'There is no such zone. It may have been deleted.')
  throw refuse(
    deleted.map(({ name }) => `The zone "${name}" was deleted.`),
    again,
  )
}

async function refuseOthers(db: Database, scope: ZoneScope, expected: number | readonly string[], zones: readonly ChosenZone[]) {
  if (typeof expected === 'number') {
    if (expected === zones.length) return
    throw refuse([`${counted(zones.length, 'zone')} match now, ${expected} did.`], again)
  }
  const seen = new Set(expected)
  const found = new Set(zones.map(({ public_id }) => public_id))
  const gone = [...seen].filter((id) => !found.has(id))
  const added = zones.filter(({ public_id }) => !seen.has(public_id))
  if (gone.length === 0 && added.length === 0) return
  const names = await selectNamesOfMissing(db, scope, gone)
  throw refuse(
    [
      ...names.map(({ name, is_deleted }) =>
        is_deleted ? `The zone "${name}" was deleted.` : `The zone "${name}" does not match any more.`,
      ),
      ...added.map(({ name }) => `The zone "${name}" matches now as well.`),
    ],
    again,
  )
}

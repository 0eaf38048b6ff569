import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import type { Published, PublishInput } from '@lectern/contract/publications/publish-to-zones.ts'
import type { StartFields } from '@lectern/contract/publications/update-time.ts'
import { formatChosenZones } from '@lectern/contract/rollouts/rollout-words.ts'
import type { Actor } from '../lib/actor.ts'
import type { ContentStore } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { findMissingPermission, type Person } from '../lib/http/caller.ts'
import { hashRequest } from '../lib/http/idempotency.ts'
import { Problem } from '../lib/http/problem.ts'
import { requireReaders } from '../phases/phases.ts'
import { chooseZones, requirePhaseZones, sortByName } from './chosen-zones.ts'
import { listPartPermissions, resolveContents } from './part-contents.ts'
import { openPublications, openRollout } from './publications.ts'
import { lockRollout, updateZoneWords } from './sql.ts'
import { selectPublishedZones } from './zone-choice-sql.ts'

interface Call {
  db: Database
  actor: Actor<Person>
  params: ZoneScope
  contents: ContentStore
  body: PublishInput
  sinceReceived(): number
}

/**
 * Publishes one rollout to all chosen zones, or to none. The key becomes its id, and a repeat of the call publishes nothing. Throws a Problem
 * 4xx that names what prevents it, 422 for a key of another publish.
 */
export async function publishToZones({ db, actor, params, contents, body, sinceReceived }: Call): Promise<Published> {
  const missing = findMissingPermission(actor.caller, listPartPermissions(body.parts))
  if (missing) throw new Problem(403, `This needs the permission ${quotePermissions([missing])}.`)
  const { organizationId } = params
  const rollout = { organizationId, id: body.key }
  const requestHash = hashRequest(body)
  const isNew = await openRollout(db, { ...rollout, name: body.name, actor, requestHash, limits: body.limits, phases: body.phases })
  if (isNew) {
    const zones = await chooseZones(db, params, body)
    if (body.phases) await requirePhaseZones(db, params, body.phases, zones)
    const parts = await resolveContents({ db, contents, organizationId }, body.parts)
    const sorted = sortByName(zones)
    const names = sorted.map(({ name }) => name)
    if ('filter' in body.zones || names.length > 1) {
      const words = formatChosenZones({ ...('filter' in body.zones && body.zones), names, isLimited: params.zones !== null })
      await updateZoneWords(db, rollout, words, names.length)
    }
    const targets = sorted.flatMap((zone) => parts.map((part) => ({ zone, part })))
    const opening = {
      actor,
      publishedBy: actor.caller.userId,
      organizationId,
      rollout: body.key,
      start: toStart(body.when),
      sinceReceived: sinceReceived(),
    }
    await openPublications(db, opening, targets)
    await requireReaders(db, rollout)
  } else {
    const stored = await lockRollout(db, organizationId, body.key)
    if (stored?.request_hash !== requestHash || stored.published_by !== actor.caller.userId)
      throw new Problem(422, 'This key was used for another publish.')
  }
  return { rolloutId: body.key, zones: await selectPublishedZones(db, params, body.key) }
}

const toStart = (when: PublishInput['when']): StartFields =>
  'now' in when ? { when: 'now', outsideWindow: when.outsideWindow } : { updateTime: when.updateTime }

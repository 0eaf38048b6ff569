import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { RollBackInput } from '@lectern/contract/publications/moves.ts'
import { rolloutTitle } from '@lectern/contract/rollouts.ts'
import { uuidv7 } from 'uuidv7'
import type * as z from 'zod/mini'
import { findRelease } from '../../firmware/firmware.ts'
import { Problem } from '../../lib/http/problem.ts'
import { openRollout, type Replacement, replacePublications } from '../../publications/publications.ts'
import { requireOpen } from '../../schedule/schedule.ts'
import { type Call, type ChangeableRollout, getChangeable, record, requireCurrent } from '../changes.ts'
import { toContent, toPrevious } from '../parts.ts'
import { selectParts } from '../parts-sql.ts'
import { lockZones } from '../sql.ts'

const explainNoPrevious = ({ parts }: ChangeableRollout): string =>
  parts.some(({ content }) => content === 'firmware')
    ? 'nothing ran on these readers before that was not halted and is still offered.'
    : 'nothing ran on these readers before that was not halted.'

/**
 * Publishes what current readers had before as a new rollout, at once where `updateTime` is null. Leaves out parts without a previous content.
 * Throws a Problem 409 where no part has one.
 */
export async function rollBackRollout(
  call: Call,
  { updateTime, outsideWindow }: z.infer<typeof RollBackInput>,
): Promise<{ id: string; message: string }> {
  const { db, actor, params } = call
  const { organizationId } = params
  const zones = new Map((await lockZones(db, params)).map((zone) => [zone.id, zone]))
  const rollout = await getChangeable(call)
  const parts = requireCurrent({ parts: await selectParts(db, params, [rollout.id]) }).flatMap((part): Replacement[] => {
    const previous = toPrevious(part)
    const zone = zones.get(part.zone_id)
    if (!previous || !zone) return []
    const { content, content_hash: hash, size, file_name: fileName, version } = previous
    return [
      {
        ...{ replaced: part, zone, model: part.device_type, updateTime: updateTime ?? part.update_time, label: toContent(previous).name },
        ...{ content, hash, size, fileName, version, versionOrder: version === null ? null : versionOrder(version) },
      },
    ]
  })
  if (parts.length === 0) throw new Problem(409, `There is nothing to roll back to: ${explainNoPrevious(rollout)}`)
  if (updateTime === null && outsideWindow === undefined)
    await requireOpen(db, organizationId, [...new Set(parts.map(({ zone }) => zone.id))], false)
  await holdReleases(call, parts)
  const id = uuidv7()
  await openRollout(db, { id, organizationId, userId: actor.caller.userId, rollsBack: rollout.id, phases: [] })
  await replacePublications(db, { actor, organizationId, rollout: id, atOnce: updateTime === null }, parts)
  await record(call, rollout, { change_type: 'rollBackRollout', new_value: id, rollout_id: id })
  const contents = parts.map(({ content, hash: content_hash, fileName: file_name, version }) =>
    toContent({ content, content_hash, file_name, version }),
  )
  return { id, message: `Published ${rolloutTitle(contents)} again.` }
}

/** Throws a Problem 409 where one was withdrawn since its part was read. */
async function holdReleases({ db }: Call, parts: readonly Replacement[]): Promise<void> {
  const releases = new Map(parts.flatMap(({ model, version }) => (version === null ? [] : [[`${model} ${version}`, { model, version }]])))
  for (const [, { model, version }] of [...releases].sort(([one], [other]) => one.localeCompare(other)))
    await findRelease(db, model as UpdateModel, version)
}

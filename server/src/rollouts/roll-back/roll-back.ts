import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { RollBackInput } from '@lectern/contract/publications/moves.ts'
import { rolloutTitle } from '@lectern/contract/rollouts.ts'
import { uuidv7 } from 'uuidv7'
import type * as z from 'zod/mini'
import { findRelease } from '../../firmware/firmware.ts'
import { Problem } from '../../lib/http/problem.ts'
import { openPublications, openRollout, type Target } from '../../publications/publications.ts'
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
  const targets = requireCurrent({ parts: await selectParts(db, params, [rollout.id]) }).flatMap((row): Target[] => {
    const previous = toPrevious(row)
    const zone = zones.get(row.zone_id)
    if (!previous || !zone) return []
    const { content, content_hash: hash, size, file_name: fileName, version } = previous
    const part = {
      model: row.device_type as UpdateModel,
      content,
      hash,
      size,
      fileName,
      version,
      versionOrder: version === null ? null : versionOrder(version),
      label: toContent(previous).name,
    }
    return [{ zone, part, updateTime: updateTime ?? row.update_time }]
  })
  const parts = targets.map(({ part }) => part)
  if (parts.length === 0) throw new Problem(409, `There is nothing to roll back to: ${explainNoPrevious(rollout)}`)
  await holdReleases(call, parts)
  const id = uuidv7()
  await openRollout(db, { id, organizationId, actor, rollsBack: rollout.id, phases: [] })
  const start = updateTime === null ? { when: 'now' as const, outsideWindow } : { updateTime }
  await openPublications(db, { actor, organizationId, rollout: id, start, isRepresented: true }, targets)
  await record(call, rollout, { change_type: 'rollBackRollout', new_value: id, rollout_id: id })
  const contents = parts.map(({ content, hash: content_hash, fileName: file_name, version }) =>
    toContent({ content, content_hash, file_name, version }),
  )
  return { id, message: `Published ${rolloutTitle(contents)} again.` }
}

/** Throws a Problem 409 where one was withdrawn since its part was read. */
async function holdReleases({ db }: Call, parts: readonly Target['part'][]): Promise<void> {
  const releases = new Map(parts.flatMap(({ model, version }) => (version === null ? [] : [[`${model} ${version}`, { model, version }]])))
  for (const [, { model, version }] of [...releases].sort(([one], [other]) => one.localeCompare(other)))
    await findRelease(db, model, version)
}

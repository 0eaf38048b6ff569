import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { contentLabel } from '@lectern/contract/publications/publications.ts'
import { emitEvents } from '../../events/events.ts'
import { theServer } from '../../lib/actor.ts'
import type { Database } from '../../lib/database/database.ts'
import { addReaders, openPublications, type Target } from '../../publications/publications.ts'
import { selectGivenBack, selectWithdrawals } from './late-sql.ts'
import { type PlannedReader, selectLatePlan } from './plan-sql.ts'
import { insertKept } from './withdraw-sql.ts'

/**
 * Gives readers back what they had that a host PC updated before it heard of the roll back. `reached`: outcomes that were stored just now, of any publications; those that no
 * roll back took back are passed over.
 */
export async function giveBackLate(
  db: Database,
  { organizationId }: { organizationId: number },
  reached: readonly { publication: string; serialNumber: string }[],
): Promise<void> {
  if (reached.length === 0) return
  const withdrawals = new Map(
    (await selectWithdrawals(db, organizationId, [...new Set(reached.map(({ publication }) => publication))])).map((row) => [row.id, row]),
  )
  const late = reached.filter(({ publication }) => withdrawals.has(publication))
  if (late.length === 0) return
  const readers = await selectLatePlan(db, organizationId, late)
  await insertKept(
    db,
    organizationId,
    readers.flatMap(({ publication, device }) => {
      const { desired } = withdrawals.get(publication)!
      return desired === null ? [] : [{ publication: desired, device }]
    }),
  )
  const byRollout = Map.groupBy(
    readers.filter(({ verdict }) => verdict === 'givenBack'),
    ({ publication }) => withdrawals.get(publication)!.rollout,
  )
  for (const [rollout, given] of byRollout) {
    const places = given.map((reader) => ({ reader, withdrawal: withdrawals.get(reader.publication)! }))
    const open = await selectGivenBack(db, organizationId, rollout)
    const find = ({ zone, model, hash, fileName }: PlannedReader) =>
      open.find((one) => one.zone === zone && one.model === model && one.hash === hash && one.fileName === fileName)
    const known = places.flatMap(({ reader }) => find(reader)?.id ?? [])
    await addReaders(
      db,
      organizationId,
      places.flatMap(({ reader }) => {
        const publication = find(reader)?.id
        return publication === undefined ? [] : [{ publication, readers: [reader.device] }]
      }),
    )
    const targets = places
      .filter(({ reader }) => !find(reader))
      .map(({ reader, withdrawal }): Target => ({ zone: withdrawal.zone, part: toPart(reader), readers: [reader.device] }))
    const publishedBy = places[0]!.withdrawal.publishedBy
    const start = { when: 'now' as const, outsideWindow: 'allowed' as const }
    if (targets.length > 0)
      await openPublications(
        db,
        { actor: theServer, publishedBy, organizationId, rollout, start, isRepresented: true },
        mergeTargets(targets),
      )
    if (known.length > 0) {
      const zones = new Set(places.map(({ withdrawal }) => withdrawal.zone.public_id))
      await emitEvents(
        db,
        [...zones].map((zone_id) => ({ organization_id: organizationId, zone_id, kind: 'desired' as const })),
      )
    }
  }
}

/** Readers that get the same content in the same zone are one target. */
function mergeTargets(targets: readonly Target[]): Target[] {
  const groups = Map.groupBy(targets, ({ zone, part }) => `${zone.id} ${part.model} ${part.hash} ${part.fileName}`)
  return [...groups.values()].map((same) => ({ ...same[0]!, readers: same.flatMap(({ readers }) => readers ?? []) }))
}

function toPart({ kind, model, content, hash, size, fileName, version, versionOrder }: PlannedReader): Target['part'] {
  const label = contentLabel({ kind, hash: hash!, name: fileName, version })
  return { model: model as UpdateModel, content: content!, hash: hash!, size: size!, fileName, version, versionOrder, label }
}

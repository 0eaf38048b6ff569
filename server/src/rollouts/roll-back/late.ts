import { emitDesired } from '../../events/events.ts'
import { theServer } from '../../lib/actor.ts'
import type { Database } from '../../lib/database/database.ts'
import { addReaders, openPublications, type Target } from '../../publications/publications.ts'
import { selectGivenBack, selectTakenBackAmong, type TakenBackAmong } from './late-sql.ts'
import { toModelContent } from './model-content.ts'
import { type PlannedReader, selectLatePlan } from './plan-sql.ts'
import { insertKept } from './withdraw-sql.ts'

/**
 * Gives readers back what they had, where their host PC updated them before it heard of a roll back. `reached`: outcomes that were stored
 * just now. Outcomes of publications that no roll back took back are ignored.
 */
export async function giveBackLate(
  db: Database,
  organizationId: number,
  reached: readonly { publication: string; serialNumber: string }[],
): Promise<void> {
  if (reached.length === 0) return
  const publications = [...new Set(reached.map(({ publication }) => publication))]
  const takenBack = new Map((await selectTakenBackAmong(db, organizationId, publications)).map((row) => [row.id, row]))
  const late = reached.filter(({ publication }) => takenBack.has(publication))
  if (late.length === 0) return
  const readers = (await selectLatePlan(db, organizationId, late)).map((reader) => ({
    reader,
    takenBack: takenBack.get(reader.publication)!,
  }))
  await insertKept(
    db,
    organizationId,
    readers.flatMap(({ reader, takenBack: { desired } }) => (desired === null ? [] : [{ publication: desired, device: reader.device }])),
  )
  const gettingBack = readers.filter(({ reader }) => reader.verdict === 'givenBack')
  for (const [rollout, late] of Map.groupBy(gettingBack, ({ takenBack }) => takenBack.rollout))
    await addToRollBack(db, organizationId, rollout, late)
}

interface Late {
  reader: PlannedReader
  takenBack: TakenBackAmong
}

/** Adds each reader to the roll back's publication of the same content in its zone. Where there is none, publishes it for the reader. */
async function addToRollBack(db: Database, organizationId: number, rollout: string, late: readonly Late[]): Promise<void> {
  const open = await selectGivenBack(db, organizationId, rollout)
  const found = late.map(({ reader, takenBack }) => {
    const { zone, model, hash, fileName } = reader
    const known = open.find((one) => one.zone === zone && one.model === model && one.hash === hash && one.fileName === fileName)
    return { reader, zone: takenBack.zone, known: known?.id }
  })
  const added = found.flatMap(({ reader, known }) => (known === undefined ? [] : [{ publication: known, readers: [reader.device] }]))
  await addReaders(db, organizationId, added)
  const targets = found
    .filter(({ known }) => known === undefined)
    .map(({ reader, zone }): Target => ({ zone, part: toModelContent(reader), readers: [reader.device] }))
  const { publishedBy } = late[0]!.takenBack
  const start = { when: 'now' as const, outsideWindow: 'allowed' as const }
  if (targets.length > 0)
    await openPublications(
      db,
      { actor: theServer, publishedBy, organizationId, rollout, start, isRepresented: true },
      mergeTargets(targets),
    )
  const zones = new Set(found.flatMap(({ zone, known }) => (known === undefined ? [] : zone.public_id)))
  await emitDesired(db, organizationId, zones)
}

/** Merges targets of the same content in the same zone into one, with the readers of all. */
function mergeTargets(targets: readonly Target[]): Target[] {
  const groups = Map.groupBy(targets, ({ zone, part }) => `${zone.id} ${part.model} ${part.hash} ${part.fileName}`)
  return [...groups.values()].map((same) => ({ ...same[0]!, readers: same.flatMap(({ readers }) => readers ?? []) }))
}

import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { maxRollBackContents, type RollBackCounts, type RollBackPlan } from '@lectern/contract/publications/roll-back.ts'
import type { Database } from '../../lib/database/database.ts'
import { listClocks } from '../../schedule/schedule.ts'
import { type Call, getChangeable, requireCurrent } from '../changes.ts'
import type { ScopedRollout } from '../sql.ts'
import { selectPlanCounts, selectUnreached } from './plan-sql.ts'

/** Returns what a roll back of the scope's zones would do now. Throws the Problems of the roll back itself. */
export async function previewRollBack(call: Call): Promise<RollBackPlan> {
  const current = requireCurrent(await getChangeable(call))
  const zones = new Set(current.map(({ zone_id }) => zone_id))
  return { ...(await planRollBack(call.db, call.params)), clocks: await listClocks(call.db, call.params.organizationId, [...zones]) }
}

const none = { givenBack: 0, older: 0, hasIt: 0, leftAlone: 0, unavailable: 0, released: 0, notKnown: 0 }

export async function planRollBack(db: Database, rollout: ScopedRollout): Promise<Omit<RollBackPlan, 'clocks'>> {
  const parts = new Map<string, RollBackCounts>()
  const find = ({ model, kind }: { model: string; kind: RollBackCounts['kind'] }): RollBackCounts => {
    const key = `${model} ${kind}`
    const part = parts.get(key) ?? { model: model as UpdateModel, kind, ...none }
    parts.set(key, part)
    return part
  }
  const contents = new Map<string, RollBackPlan['contents'][number]>()
  for (const { readers, verdict, isOlder, name, ...place } of await selectPlanCounts(db, rollout)) {
    const part = find(place)
    part[verdict] += readers
    if (verdict !== 'givenBack' || name === null) continue
    if (isOlder) part.older += readers
    const key = `${place.model} ${place.kind} ${name}`
    const known = contents.get(key)?.readers ?? 0
    contents.set(key, { model: part.model, kind: place.kind, name, readers: known + readers })
  }
  for (const { readers, isKnown, ...place } of await selectUnreached(db, rollout)) find(place)[isKnown ? 'released' : 'notKnown'] += readers
  const sorted = [...contents.values()].sort((one, other) => other.readers - one.readers || one.name.localeCompare(other.name))
  return {
    parts: [...parts.values()].sort((one, other) => one.model.localeCompare(other.model) || one.kind.localeCompare(other.kind)),
    contents: sorted.slice(0, maxRollBackContents),
    others: sorted.slice(maxRollBackContents).reduce((sum, { readers }) => sum + readers, 0),
  }
}

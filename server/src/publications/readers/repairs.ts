import { isDeepStrictEqual } from 'node:util'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { neededApp } from '@lectern/contract/publications/dry-run.ts'
import type { RepairPlan } from '@lectern/contract/publications/repairs.ts'
import type { RawBuilder } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { refuseOtherCounts } from '../../lib/http/problem.ts'
import { countGroups } from '../group-verdicts.ts'
import { selectRepairGroups } from './repairs-sql.ts'

interface Repair {
  organizationId: number
  /** SQL that selects `publication_id` and `device_id` of each reader that gets its content again. */
  readers: RawBuilder<unknown>
  minBattery: number
  of: Parameters<typeof refuseOtherCounts>[0]
}

/** Returns the dry run of a repair, by model and kind. */
export async function previewRepair(db: Database, { organizationId, readers, minBattery }: Omit<Repair, 'of'>): Promise<RepairPlan> {
  const groups = await selectRepairGroups(db, organizationId, readers, minBattery)
  const parts = [...Map.groupBy(groups, ({ model, kind }) => `${model} ${kind}`).values()].map((own) => ({
    model: own[0]!.model as UpdateModel,
    kind: own[0]!.kind,
    counts: countGroups(own, ({ content }) => neededApp[content]),
  }))
  return {
    models: parts.sort((one, other) => one.model.localeCompare(other.model) || one.kind.localeCompare(other.kind)),
    afterResume: groups.reduce((sum, { isHalted, readers: count }) => sum + (isHalted ? count : 0), 0),
  }
}

/** Throws a Problem 409 where the repair would now do something else than `expected`, which the user was shown. */
export async function requireShown(db: Database, repair: Repair, expected: RepairPlan | undefined): Promise<void> {
  if (expected && !isDeepStrictEqual(await previewRepair(db, repair), expected)) throw refuseOtherCounts(repair.of)
}

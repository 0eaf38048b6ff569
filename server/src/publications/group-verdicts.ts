import { isNewerVersion } from '@lectern/contract/firmware/versions.ts'
import { countVerdicts, type DryRunCounts, type ReaderGroup } from '@lectern/contract/publications/dry-run.ts'

/** Readers with the same facts. `agentVersion`: of their host PC's app; null without a host PC. */
type GroupRow = Omit<ReaderGroup, 'hasOlderApp'> & { agentVersion: string | null }

/** Counts what becomes of the readers. `findNeededApp`: returns the oldest version of the app that applies their content. */
export const countGroups = <Row extends GroupRow>(groups: readonly Row[], findNeededApp: (group: Row) => string): DryRunCounts =>
  countVerdicts(
    groups.map((group) => ({
      ...group,
      hasOlderApp: group.agentVersion !== null && isNewerVersion(findNeededApp(group), group.agentVersion),
    })),
  )

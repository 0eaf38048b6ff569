import { cleanName, foldName } from '@lectern/contract/text/clean-name.ts'
import { isVisible, unusableName } from '@lectern/contract/text/text.ts'
import { type Zone, zoneName } from '@lectern/contract/zones.ts'

/**
 * Why a zone cannot have this name, in the server's words; null where it can. Names are compared as they would be saved, in any case (spec
 * §5).
 */
export function findNameProblem(text: string, organizationId: string, zones: readonly Zone[]): string | null {
  const name = zoneName(text, organizationId)
  if (!isVisible(name)) return 'Enter a name for the zone.'
  const unusable = unusableName(cleanName(text))
  if (unusable) return unusable
  const same = zones.find((zone) => foldName(zone.name) === foldName(name))
  return same ? `There is already a zone named "${same.name}".` : null
}

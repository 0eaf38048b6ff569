import { unusableName } from '@lectern/contract/text/text.ts'
import { type Zone, zoneName } from '@lectern/contract/zones.ts'

/**
 * Why no zone can be created of this text, or null. The sentences are the server's, said before the call; names are compared
 * as they would be kept, in any case (spec §5).
 */
export function refusedZoneName(text: string, organizationId: string, zones: readonly Zone[]): string | null {
  const unusable = unusableName(text.trim())
  if (unusable) return unusable
  const name = zoneName(text, organizationId)
  if (name === '') return 'Enter a name for the zone.'
  const same = zones.find((zone) => zone.name.toLowerCase() === name.toLowerCase())
  return same ? `There is already a zone named "${same.name}".` : null
}

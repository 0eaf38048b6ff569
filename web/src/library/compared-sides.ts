import { parseCommandLines } from '@lectern/contract/barcode/commands.ts'
import { formatContent, type LibraryEntry, type SavedKind } from '@lectern/contract/library.ts'
import { versionName } from '@lectern/contract/publications/version-name.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'

/** A compared configuration. `text`: null where it is too long, or no text. */
export interface Side {
  name: string
  device: string
  kind: SavedKind
  text: string | null
  commands: readonly string[]
}

interface Choice {
  value: string
  label: string
}

/** Reads a key: an entry's id for its newest version, `id.number` for another version, `zone.id.model` for what a zone runs. */
function parseKey(
  key: string | null,
  entries: readonly LibraryEntry[],
): { entry: LibraryEntry; number: number } | { zone: string; device: string } | null {
  const [first = '', second = '', ...rest] = (key ?? '').split('.')
  if (first === 'zone') return { zone: second, device: rest.join('.') }
  const entry = entries.find(({ id }) => id === first)
  return entry ? { entry, number: Number(second) || entry.version } : null
}

const zoneKey = (zone: Zone, device: string): string => `zone.${zone.id}.${device}`

/** Lists the newest versions, earlier versions of what is chosen, and what zones run on the devices of what is chosen. */
export function listChoices(entries: readonly LibraryEntry[], zones: readonly Zone[], keys: readonly (string | null)[]): Choice[] {
  const chosen = keys.map((key) => parseKey(key, entries))
  const newest = entries.map(({ id, name, device }) => ({ value: id, label: `${name} (${device})` }))
  const entriesOf = [...new Set(chosen.flatMap((one) => (one && 'entry' in one ? [one.entry] : [])))]
  const earlier = entriesOf.flatMap(({ id, name, device, version }) =>
    Array.from({ length: version - 1 }, (_, index) => version - 1 - index).map((number) => ({
      value: `${id}.${number}`,
      label: `${versionName(name, number)} (${device})`,
    })),
  )
  const devices = [...new Set(chosen.flatMap((one) => (one ? ['entry' in one ? one.entry.device : one.device] : [])))]
  const running = devices.flatMap((device) =>
    zones.map((zone) => ({ value: zoneKey(zone, device), label: `What ${zone.name} runs (${device})` })),
  )
  return [...newest, ...earlier, ...running]
}

/** Null where nothing is chosen. `failed`: why it cannot be shown. */
export function useSide(
  key: string | null,
  entries: readonly LibraryEntry[],
  zones: readonly Zone[],
): { side: Side | null; failed: string | null } {
  const organizationId = useOrganization()
  const place = parseKey(key, entries)
  const isEntry = place !== null && 'entry' in place
  const saved = useQuery({
    ...q('getLibraryVersion', { params: { organizationId, id: isEntry ? place.entry.id : '', number: isEntry ? place.number : 1 } }),
    enabled: isEntry,
  })
  const running = useQuery({
    ...q('getRunningConfiguration', {
      params: {
        organizationId,
        location: place && !isEntry ? place.zone : '',
        device: (place && !isEntry ? place.device : 'CR2700') as 'CR2700',
      },
    }),
    enabled: place !== null && !isEntry,
    retry: false,
  })
  if (!place) return { side: null, failed: null }
  const toSide = (name: string, device: string, kind: SavedKind, text: string | null): Side => ({
    name,
    device,
    kind,
    text,
    commands: kind === 'commands' && text !== null ? parseCommandLines(text) : [],
  })
  if (isEntry) {
    const { name, device, version } = place.entry
    const { data, error } = saved
    const shown = place.number === version ? name : versionName(name, place.number)
    return {
      side: data ? toSide(shown, device, data.kind, formatContent(data.content)) : null,
      failed: error && 'This version cannot be loaded.',
    }
  }
  const zone = zones.find(({ id }) => id === place.zone)?.name ?? 'this zone'
  const { data, error } = running
  return {
    side: data ? toSide(`${zone}: ${data.name}`, place.device, data.kind, data.text) : null,
    failed: error && `No configuration for the ${place.device} is published to ${zone}.`,
  }
}

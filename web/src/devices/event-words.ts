import type { DeviceEvent, DeviceEventKind } from '@lectern/contract/devices/history.ts'
import type { StatusKind } from '../ui/feedback/status.tsx'

const words: Record<DeviceEventKind, [kind: StatusKind, word: string]> = {
  applied: ['ok', 'Applied'],
  failed: ['bad', 'Failed'],
  drifted: ['warn', 'Drifted'],
  returned: ['ok', 'Drift ended'],
  moved: ['run', 'Moved'],
}

export const nameEvent = ({ kind, reapplied }: DeviceEvent): [kind: StatusKind, word: string] =>
  reapplied && kind === 'applied' ? ['ok', 'Applied again'] : words[kind]

interface EventWords {
  text: string
  detail?: string
}

const nameContent = ({ contentKind = 'configuration', content }: DeviceEvent): string =>
  contentKind === 'firmware' ? `Firmware ${content ?? ''}`.trim() : (content ?? 'Configuration')

/** What happened, and on a second line why or by whom. */
export function describeEvent(event: DeviceEvent): EventWords {
  const { kind, contentKind = 'configuration', running, from, to } = event
  if (kind === 'moved') return { text: `To ${to ?? 'another host PC'}`, ...(from !== undefined && { detail: `From ${from}` }) }
  if (kind === 'returned') return { text: `Runs ${running ?? `no ${contentKind}`} again, as its zone desires` }
  if (kind === 'drifted') {
    const desired = event.content === undefined ? 'what its zone desires' : event.content
    return { text: `Runs ${running ?? `no ${contentKind}`} in place of ${desired}` }
  }
  const detail = [event.reason, formatOrigin(event)].filter((part) => part !== undefined && part !== '').join(' ')
  return { text: nameContent(event), ...(detail !== '' && { detail }) }
}

function formatOrigin({ publishedBy, requestedBy, zone, revision }: DeviceEvent): string | undefined {
  if (requestedBy !== undefined) return `Requested again by ${requestedBy}.`
  const parts = [revision !== undefined && `Revision ${revision}`, zone && `for ${zone}`, publishedBy && `published by ${publishedBy}`]
  const text = parts.filter((part) => part !== false && part !== undefined && part !== '').join(', ')
  return text === '' ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

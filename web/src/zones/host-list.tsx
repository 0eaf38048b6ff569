import type { ZoneHost } from '@lectern/contract/zones.ts'
import { Button } from '../ui/button/button.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-US', { day: '2-digit', month: 'short', year: 'numeric' })

/** An instant in the viewer's time, e.g. "20 Nov 2025, 14:05". */
function moment(instant: string): string {
  const date = new Date(instant)
  const parts = Object.fromEntries(day.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${parts.day} ${parts.month} ${parts.year}, ${time.format(date)}`
}

type HostListProps = {
  hosts: readonly ZoneHost[]
  /** Left out where the person may not remove one. */
  onRemove?: ((host: ZoneHost) => void) | undefined
}

/** Host PCs: name, whether it is online, and what it last said of itself. */
export function HostList({ hosts, onRemove }: HostListProps) {
  return (
    <ul className="divide-y divide-rule">
      {hosts.map((host) => (
        <li key={host.id} className="grid gap-2 py-3 first:pt-0 last:pb-0">
          <span className="flex items-center gap-3">
            <b className="mono min-w-0 flex-1 font-semibold wrap-anywhere text-ink">{host.name}</b>
            <Status kind={host.isOnline ? 'ok' : 'bad'} spoken="">
              {host.isOnline ? 'Online' : 'Offline'}
            </Status>
            {onRemove && (
              <Button small variant="danger" aria-label={`Remove ${host.name}`} onClick={() => onRemove(host)}>
                Remove
              </Button>
            )}
          </span>
          <DefinitionList
            left
            items={[
              ['Time zone', host.timeZone],
              ['Agent version', <span className="mono">{host.agentVersion}</span>],
              ['Last seen', host.lastSeen === null ? 'Never' : moment(host.lastSeen)],
            ]}
          />
        </li>
      ))}
    </ul>
  )
}

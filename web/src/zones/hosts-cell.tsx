import { counted } from '@lectern/contract/text/numbers.ts'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { HostsDialog } from './hosts-dialog.tsx'
import type { ZoneRow } from './zone-row.ts'

/** How many of a zone's host PCs are online; opens the list of them. */
export function HostsCell({ zone }: { zone: ZoneRow }) {
  const { open } = useDialog()
  const total = zone.hosts.length
  if (total === 0) return <span className="text-ink-3">None yet</span>
  const online = zone.hosts.filter((host) => host.isOnline).length
  return (
    <button
      type="button"
      className="underline-offset-4 hover:underline max-sm:min-h-11"
      aria-label={`${online} of ${counted(total, 'host PC')} online in ${zone.name}`}
      onClick={() => open<void>((close) => <HostsDialog zone={zone} close={close} />)}
    >
      <Status kind={online === total ? 'ok' : online > 0 ? 'warn' : 'bad'}>
        {online} of {total}
      </Status>
    </button>
  )
}

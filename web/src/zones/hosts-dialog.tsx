import { evidenceWords } from '@lectern/contract/barcode/evidence-words.ts'
import type { Attached, AttachedDialect } from '@lectern/contract/devices/attached.ts'
import { formatClockAhead } from '@lectern/contract/publications/clock-ahead.ts'
import { formatNames } from '@lectern/contract/text/names.ts'
import type { Zone, ZoneHost } from '@lectern/contract/zones.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { q, useMutation } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Status, type StatusKind } from '../ui/feedback/status.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { shortenName } from './zone-row.ts'

// The host PCs of a zone. Removing one is asked in the same dialog, as only one can be open.
export function HostsDialog({ zone, close }: { zone: Zone; close: Close<void> }) {
  const { organizationId } = zone
  const overview = useQuery(q('listZoneOverviews', { params: { organizationId }, query: { zone: zone.id } }))
  const canRemove = usePermission('manage:firmware')
  const [removing, setRemoving] = useState<ZoneHost | null>(null)

  if (removing) return <RemoveHost zone={zone} host={removing} close={() => setRemoving(null)} />
  return (
    <DialogPanel
      wide
      title={`Host PCs of ${shortenName(zone.name)}`}
      actions={
        <Button data-autofocus onClick={() => close()}>
          Close
        </Button>
      }
    >
      <QueryStates query={overview} failed="Error loading host PCs">
        {([{ hosts, dialects = [] } = { hosts: [] }]) =>
          hosts.length === 0 ? (
            'No host PC is left. Give the location file to a host PC to enroll it.'
          ) : (
            <ul className="divide-y divide-rule">
              {hosts.map((host) => (
                <HostItem key={host.id} host={host} dialects={dialects} onRemove={canRemove ? () => setRemoving(host) : undefined} />
              ))}
            </ul>
          )
        }
      </QueryStates>
    </DialogPanel>
  )
}

interface HostItemProps {
  host: ZoneHost
  /** Of all host PCs of the zone. */
  dialects: readonly AttachedDialect[]
  onRemove: (() => void) | undefined
}

function HostItem({ host, dialects, onRemove }: HostItemProps) {
  return (
    <li className="grid gap-2 py-3 first:pt-0 last:pb-0">
      <span className="flex items-center gap-3">
        <b className="mono min-w-0 flex-1 font-semibold wrap-anywhere text-ink">{host.name}</b>
        {host.simulated && <Badge kind="simulated">Simulated</Badge>}
        <Status kind={host.isOnline ? 'ok' : 'bad'} spoken="">
          {host.isOnline ? 'Online' : 'Silent'}
        </Status>
        {onRemove && (
          <Button small variant="danger" aria-label={`Remove ${host.name}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </span>
      <DefinitionList
        left
        items={[
          ...(host.onTwoPcs
            ? [
                [
                  'Copied',
                  <Warning kind="bad">
                    This host PC runs on two PCs, as its disk or state folder was copied. Nothing is handed out to it. Enroll each of the
                    PCs anew with <span className="mono whitespace-nowrap">--replace</span>.
                  </Warning>,
                ] as const,
              ]
            : []),
          ['Time zone', host.timeZone],
          ...(host.clockAhead === undefined
            ? []
            : [
                [
                  'Clock',
                  <Warning kind="warn">{formatClockAhead(host.clockAhead)}. Readers update by it: set the time of this PC.</Warning>,
                ] as const,
              ]),
          ['Agent version', <span className="mono">{host.agentVersion}</span>],
          ['Driver', host.driver ?? 'Not known'],
          ['Last seen', host.lastSeen === null ? 'Never' : formatMinute(host.lastSeen)],
        ]}
      />
      {host.attached && (
        <AttachedReaders
          hostName={host.name}
          attached={{ ...host.attached, dialects: host.attached.dialects.flatMap((place) => dialects[place] ?? []) }}
        />
      )}
    </li>
  )
}

/** A sentence, on as many lines as it takes. */
const Warning = ({ kind, children }: { kind: StatusKind; children: ReactNode }) => (
  <Status kind={kind} spoken="">
    <span className="whitespace-normal">{children}</span>
  </Status>
)

const kindWords = { cfg: 'a CFG', file: 'a script', commands: 'commands', firmware: 'firmware' }

/** What the host PC found at its ports, in its own words (SER-01). */
function AttachedReaders({ hostName, attached: { others, ports, dialects } }: { hostName: string; attached: Attached }) {
  return (
    <>
      {others.length > 0 && (
        <div>
          <h3 className="font-semibold text-ink">Readers of other models</h3>
          <p className="text-ink-2">The portal does not know their model. They are counted nowhere and get no publication.</p>
          <ul aria-label={`Readers of other models at ${hostName}`}>
            {others.map(({ serialNumber, model, firmware, dialect }) => (
              <li key={serialNumber} className="wrap-anywhere">
                <span className="mono">{serialNumber}</span>, “{model}”{firmware !== null && `, firmware ${firmware}`}, dialect {dialect}
              </li>
            ))}
          </ul>
        </div>
      )}
      {ports.length > 0 && (
        <div>
          <h3 className="font-semibold text-ink">Ports</h3>
          <ul aria-label={`Ports of ${hostName}`}>
            {ports.map(({ path, says }) => (
              <li key={path} className="wrap-anywhere">
                <span className="mono">{path}</span>: {says}
              </li>
            ))}
          </ul>
        </div>
      )}
      {dialects.map(({ name, can, commands }) => (
        <details key={name}>
          <summary>
            Dialect “{name}”: lists readers, can give them {formatNames(can.map((kind) => kindWords[kind])) || 'nothing'}
          </summary>
          <ul className="text-13" aria-label={`What the dialect ${name} may send`}>
            {commands.map(({ sends, meaning, source, evidence }) => (
              <li key={sends} className="wrap-anywhere">
                <span className="mono">{sends}</span>: {meaning}. {source} ({evidenceWords[evidence].word}).
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  )
}

function RemoveHost({ zone, host, close }: { zone: Zone; host: ZoneHost; close: () => void }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('removeHost', { errorInPlace: true })

  async function remove() {
    await mutateAsync({ params: { organizationId: zone.organizationId, host: host.id } })
    toast({ title: 'Host PC removed', detail: host.name })
  }

  return (
    <Confirm title={`Remove ${host.name}`} destructive busyLabel="Removing" close={close} onYes={remove}>
      Its readers stop receiving updates until another host PC of {shortenName(zone.name)} reports them. To bring it back, enroll it again.
    </Confirm>
  )
}

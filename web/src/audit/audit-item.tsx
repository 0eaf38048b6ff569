import '../ui/avatar.css'
import './audit-item.css'
import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatSubject, hostSubject, unknownUser } from '@lectern/contract/audit/audit-sentence.ts'
import { Monitor, Shield, UserRoundX } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMinute, formatTime } from '../lib/format.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button/button.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Disclosure } from '../ui/layout/disclosure.tsx'
import type { AuditState } from './audit-address.ts'
import { Sentence } from './audit-sentence.tsx'
import { formatChangeType } from './change-labels.ts'
import { formatUtc } from './entry-time.ts'
import { FoldedEntries } from './folded-entries.tsx'
import type { Log } from './use-audit-entries.ts'

export type Narrow = (change: Partial<AuditState>) => void

interface AuditItemProps {
  entry: AuditEntry
  log: Log
  isOwn: boolean
  onNarrow: Narrow
}

export function AuditItem({ entry, log, isOwn, onNarrow }: AuditItemProps) {
  const { id, user, inEffectSince, rollout } = entry
  return (
    <Disclosure
      id={id}
      lead={user ? <Avatar name={user.name} size="medium" /> : <NoAvatar entry={entry} />}
      summary={<Sentence entry={entry} />}
      aside={
        <time dateTime={inEffectSince} title={formatUtc(inEffectSince)}>
          {formatTime(inEffectSince)}
        </time>
      }
    >
      <div className="audit-details">
        <DefinitionList left items={listFacts(entry, onNarrow)} />
        {entry.newValue !== undefined && (
          <div>
            <p className="audit-value-label">New value</p>
            <pre className="audit-value">{entry.newValue}</pre>
          </div>
        )}
      </div>
      {entry.folded && rollout !== undefined && (
        <FoldedEntries log={log} rollout={rollout} isOwn={isOwn} onShowAlone={() => onNarrow({ rollout })} />
      )}
    </Disclosure>
  )
}

function NoAvatar({ entry }: { entry: AuditEntry }) {
  const subject = formatSubject(entry)
  const Icon = subject === unknownUser ? UserRoundX : subject.startsWith(hostSubject) ? Monitor : Shield
  return (
    <span className="avatar avatar-medium avatar-none" aria-hidden="true">
      <Icon size={16} />
    </span>
  )
}

function listFacts(entry: AuditEntry, onNarrow: Narrow): [string, ReactNode][] {
  const { inEffectSince, initiatorEmail: person, zoneName: zone, deviceSerial: reader } = entry
  const when = (
    <time dateTime={inEffectSince} title={formatUtc(inEffectSince)}>
      {formatMinute(inEffectSince)}
    </time>
  )
  const facts: [string, ReactNode][] = [
    ['Change', `${formatChangeType(entry.changeType)} (${entry.changeType})`],
    ['In effect since', when],
    ['Initiator', person === null ? 'No person' : <SharedValue text={person} narrow={() => onNarrow({ person })} />],
    ['Host PC', entry.hostName && <span className="mono">{entry.hostName}</span>],
    ['Zone', zone && <SharedValue text={zone} narrow={() => onNarrow({ zone })} />],
    ['Reader', reader && <SharedValue text={reader} mono narrow={() => onNarrow({ reader })} />],
    ['Target', entry.target],
    ['Configuration', entry.configName],
    ['Version', entry.version],
    ['Address', entry.address],
    ['Request', entry.requestId && <span className="mono">{entry.requestId}</span>],
  ]
  return facts.filter(([, value]) => value !== undefined)
}

interface SharedValueProps {
  text: string
  mono?: boolean
  narrow: () => void
}

function SharedValue({ text, mono, narrow }: SharedValueProps) {
  return (
    <Button variant="link" className={mono ? 'audit-shared mono' : 'audit-shared'} aria-label={`${text}, show only these`} onClick={narrow}>
      {text}
    </Button>
  )
}

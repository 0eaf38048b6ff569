import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatSubject, unknownUser } from '@lectern/contract/audit/audit-sentence.ts'
import { Shield, UserRoundX } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMinute } from '../lib/format.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button/button.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Disclosure } from '../ui/layout/disclosure.tsx'
import type { AuditView } from './audit-address.ts'
import { AuditSentence } from './audit-sentence.tsx'
import { changeLabel } from './change-labels.ts'
import { formatTime, inUtc } from './entry-time.ts'

/** Narrows the log to what an entry has in common with others. */
export type Narrow = (parts: Partial<AuditView>) => void

/** An entry of the log: its sentence, time and person, and opened all that it says. */
export function AuditItem({ entry, onNarrow }: { entry: AuditEntry; onNarrow: Narrow }) {
  const { id, user, inEffectSince } = entry
  return (
    <Disclosure
      id={id}
      lead={user ? <Avatar name={user.name} size="medium" /> : <NoAvatar entry={entry} />}
      summary={<AuditSentence entry={entry} />}
      aside={
        <time dateTime={inEffectSince} title={inUtc(inEffectSince)}>
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
    </Disclosure>
  )
}

function NoAvatar({ entry }: { entry: AuditEntry }) {
  const Icon = formatSubject(entry) === unknownUser ? UserRoundX : Shield
  return (
    <span className="avatar avatar-medium avatar-none" aria-hidden="true">
      <Icon size={16} />
    </span>
  )
}

/** What an entry says, term by term; what it does not say stays away. */
function listFacts(entry: AuditEntry, onNarrow: Narrow): [string, ReactNode][] {
  const { inEffectSince, initiatorEmail: person, zoneName: zone, deviceSerial: device } = entry
  const when = (
    <time dateTime={inEffectSince} title={inUtc(inEffectSince)}>
      {formatMinute(inEffectSince)}
    </time>
  )
  const facts: [string, ReactNode][] = [
    ['Change', `${changeLabel(entry.changeType)} (${entry.changeType})`],
    ['In effect since', when],
    ['Initiator', person === null ? 'No person' : <Common text={person} narrow={() => onNarrow({ person })} />],
    ['Zone', zone && <Common text={zone} narrow={() => onNarrow({ zone })} />],
    ['Reader', device && <Common text={device} mono narrow={() => onNarrow({ device })} />],
    ['Target', entry.target],
    ['Configuration', entry.configName],
    ['Version', entry.version],
    ['Address', entry.address],
    ['Request', entry.requestId && <span className="mono">{entry.requestId}</span>],
  ]
  return facts.filter(([, value]) => value !== undefined)
}

/** A value that other entries have too; choosing it shows them. */
function Common({ text, mono, narrow }: { text: string; mono?: boolean; narrow: () => void }) {
  return (
    <Button variant="link" className={mono ? 'audit-common mono' : 'audit-common'} aria-label={`${text}, show only these`} onClick={narrow}>
      {text}
    </Button>
  )
}

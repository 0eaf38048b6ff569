import './audit-sentence.css'
import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatPredicate, formatSubject, unknownUser } from '@lectern/contract/audit/audit-sentence.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Badge } from '../ui/feedback/badge.tsx'

const exact = new Set<string | undefined>(['version', 'deviceSerial'])

export function Sentence({ entry }: { entry: AuditEntry }) {
  const subject = formatSubject(entry)
  // A folded entry has only the first zone, while the words are about all zones.
  const { rolloutName, rolloutZones } = entry
  const shown = rolloutZones === undefined ? entry : { ...entry, zoneName: rolloutZones }
  return (
    <>
      <bdi className={subject === unknownUser ? 'audit-unknown' : 'audit-quoted'}>{subject}</bdi>{' '}
      {formatPredicate(shown).map(({ text, place }, index) =>
        place === undefined ? (
          text
        ) : (
          <bdi key={index} className={exact.has(place) ? 'audit-quoted mono' : 'audit-quoted'}>
            {text}
          </bdi>
        ),
      )}
      {rolloutName !== undefined && (
        <>
          , called <bdi className="audit-quoted">{rolloutName}</bdi>
        </>
      )}
      {entry.folded && formatOthers(entry)}
      {entry.folded && entry.folded.readers > 0 && `, installed on ${counted(entry.folded.readers, 'reader')}`}
      {entry.simulated && (
        <>
          {' '}
          <Badge kind="simulated">Simulated</Badge>
        </>
      )}
    </>
  )
}

/** The rest of a rollout: " and 39 more zones". A roll back's entry names the whole rollout with all its zones. */
function formatOthers({ folded, changeType, rolloutZones }: AuditEntry): string {
  if (!folded) return ''
  if (changeType === 'rollBackRollout') return folded.zones > 1 ? `, in ${counted(folded.zones, 'zone')}` : ''
  if (folded.zones > 1 && rolloutZones === undefined) return ` and ${counted(folded.zones - 1, 'more zone')}`
  return folded.parts > folded.zones ? `, and ${counted(folded.parts - folded.zones, 'more change')}` : ''
}

import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatPredicate, formatSubject, unknownUser } from '@lectern/contract/audit/audit-sentence.ts'

/** Values that are read letter by letter. */
const exact = new Set<string | undefined>(['version', 'deviceSerial'])

/** Who did what, with what the entry says set off from our own words (spec §2). */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const subject = formatSubject(entry)
  return (
    <>
      <bdi className={subject === unknownUser ? 'audit-unknown' : 'audit-said'}>{subject}</bdi>{' '}
      {formatPredicate(entry).map(({ text, place }, index) =>
        place === undefined ? (
          text
        ) : (
          <bdi key={index} className={exact.has(place) ? 'audit-said mono' : 'audit-said'}>
            {text}
          </bdi>
        ),
      )}
    </>
  )
}

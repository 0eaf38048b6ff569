import './evidence.css'
import { evidenceWords, formatInferred } from '@lectern/contract/barcode/evidence-words.ts'
import { type Evidence, evidences } from '@lectern/contract/devices/evidence.ts'
import { Notice } from '../../ui/feedback/notice.tsx'

export function EvidenceWord({ evidence }: { evidence: Evidence }) {
  const { word, sentence } = evidenceWords[evidence]
  return (
    <span className={evidence === 'inferred' ? 'evidence-word evidence-inferred' : 'evidence-word'} title={sentence}>
      <span className="sr-only">Evidence: </span>
      {word}
    </span>
  )
}

/** Explains the words in use, once each, best first. */
export function EvidenceKey({ of }: { of: readonly Evidence[] }) {
  const used = evidences.filter((evidence) => of.includes(evidence))
  if (used.length === 0) return null
  return (
    <dl className="evidence-key">
      {used.map((evidence) => (
        <div key={evidence}>
          <dt>{evidenceWords[evidence].word}</dt>
          <dd>{evidenceWords[evidence].sentence}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Warns that an option of what leaves the builder is inferred. */
export function InferredNotice({ options, className }: { options: readonly { evidence: Evidence }[]; className?: string }) {
  const sentence = formatInferred(
    options.map(({ evidence }) => evidence),
    'option',
  )
  return (
    sentence && (
      <Notice kind="warn" className={className}>
        {sentence}
      </Notice>
    )
  )
}

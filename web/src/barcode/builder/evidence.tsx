import type { Evidence } from '@lectern/contract/barcode/catalogue.ts'

const words: Record<Evidence, { word: string; sentence: string }> = {
  published: { word: 'Guide', sentence: 'The maker’s published guide has the command.' },
  operator: { word: 'Operator', sentence: 'The command comes from the catalogue file of this installation.' },
  secondary: {
    word: 'Listing',
    sentence: 'A listing of the maker’s settings has the command; the guide does not confirm it for this reader.',
  },
  inferred: { word: 'Inferred', sentence: 'The command is inferred from others. Try it on one reader first.' },
  unknown: { word: 'Unknown', sentence: 'The command is not published, so the option cannot be chosen.' },
}

export function EvidenceWord({ evidence }: { evidence: Evidence }) {
  return (
    <span className="option-evidence" title={words[evidence].sentence}>
      <span className="sr-only">Evidence: </span>
      {words[evidence].word}
    </span>
  )
}

export function EvidenceKey({ of }: { of: readonly Evidence[] }) {
  return (
    <dl className="evidence-key">
      {[...new Set(of)].map((evidence) => (
        <div key={evidence}>
          <dt>{words[evidence].word}</dt>
          <dd>{words[evidence].sentence}</dd>
        </div>
      ))}
    </dl>
  )
}

import { CircleCheck } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Panel } from '../ui/layout/panel.tsx'

interface InstructionsSectionProps {
  title: string
  /** Above the steps. */
  lead?: ReactNode
  outcome: ReactNode
  children: ReactNode
}

export function InstructionsSection({ title, lead, outcome, children }: InstructionsSectionProps) {
  return (
    <Panel
      title={title}
      foot={
        <p className="flex gap-2 text-13 text-ink-2">
          <CircleCheck size={16} className="mt-0.5" />
          <span>{outcome}</span>
        </p>
      }
    >
      {lead && <div className="mb-4">{lead}</div>}
      <ol className="grid list-decimal gap-3 pl-5 leading-read marker:font-semibold">{children}</ol>
    </Panel>
  )
}

export function Command({ children }: { children: string }) {
  return (
    <code className="my-1.5 block rounded-md border border-rule bg-well px-3 py-2 text-13">
      {children.split(' ').map((word, index) => (
        <Fragment key={index}>
          {index > 0 && ' '}
          <span className="inline-block max-w-full wrap-anywhere">{word}</span>
        </Fragment>
      ))}
    </code>
  )
}

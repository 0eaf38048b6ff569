import { ChevronDown } from 'lucide-react'
import { Accordion as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** Around disclosures, of which at most one is open. */
export function Disclosures({ children }: { children: ReactNode }) {
  return (
    <Radix.Root type="single" collapsible>
      {children}
    </Radix.Root>
  )
}

type DisclosureProps = {
  /** Its own among the disclosures around it. */
  id: string
  /** Before the summary, as an avatar. */
  lead?: ReactNode
  summary: ReactNode
  /** At the right end. */
  aside?: ReactNode
  children: ReactNode
}

/** An entry of a list that opens to its details. */
export function Disclosure({ id, lead, summary, aside, children }: DisclosureProps) {
  return (
    <Radix.Item value={id} asChild>
      <li className="disclosure">
        <Radix.Header>
          <Radix.Trigger className="disclosure-summary">
            {lead}
            <span className="disclosure-text">{summary}</span>
            {aside && <span className="disclosure-aside">{aside}</span>}
            <ChevronDown size={16} />
          </Radix.Trigger>
        </Radix.Header>
        <Radix.Content className="disclosure-details">{children}</Radix.Content>
      </li>
    </Radix.Item>
  )
}

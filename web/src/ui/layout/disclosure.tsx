import './disclosure.css'
import { ChevronDown } from 'lucide-react'
import { Accordion as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export function Disclosures({ children }: { children: ReactNode }) {
  return (
    <Radix.Root type="single" collapsible>
      {children}
    </Radix.Root>
  )
}

// By default it is a region, which would be announced with its line again.
const noLandmark = { role: undefined, 'aria-labelledby': undefined }

interface DisclosureProps {
  id: string
  lead?: ReactNode
  summary: ReactNode
  aside?: ReactNode
  children: ReactNode
}

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
        <Radix.Content className="disclosure-details" {...noLandmark}>
          {children}
        </Radix.Content>
      </li>
    </Radix.Item>
  )
}

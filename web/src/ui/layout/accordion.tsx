import './accordion.css'
import { ChevronDown } from 'lucide-react'
import { Accordion as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface AccordionProps {
  items: readonly { question: string; answer: ReactNode }[]
  open?: number
}

export function Accordion({ items, open }: AccordionProps) {
  return (
    <Radix.Root type="single" collapsible className="accordion" defaultValue={open === undefined ? undefined : String(open)}>
      {items.map((item, index) => (
        <Radix.Item key={index} value={String(index)} className="accordion-item">
          <Radix.Header>
            <Radix.Trigger className="accordion-question">
              {item.question}
              <ChevronDown size={16} />
            </Radix.Trigger>
          </Radix.Header>
          <Radix.Content className="accordion-answer">{item.answer}</Radix.Content>
        </Radix.Item>
      ))}
    </Radix.Root>
  )
}

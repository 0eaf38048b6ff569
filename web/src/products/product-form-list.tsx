import { mostEntries } from '@lectern/contract/products.ts'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useFieldArray } from 'react-hook-form'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { Panel } from '../ui/layout/panel.tsx'

type Action = 'up' | 'down' | 'remove'

interface ProductFormListProps {
  name: 'faq' | 'documents'
  title: string
  /** Names one entry, such as "question". */
  noun: string
  empty: Record<string, string>
  /** Draws the fields of an entry, by its path, such as `faq.0`. */
  children: (entry: string) => ReactNode
}

export function ProductFormList({ name, title, noun, empty, children }: ProductFormListProps) {
  const { fields, append, remove, move } = useFieldArray({ name })
  const add = useRef<HTMLButtonElement>(null)
  const { list, focusNext } = useFocusOfMoved(fields, add)

  function act(index: number, action: Action) {
    const to = action === 'up' ? index - 1 : index + 1
    focusNext(action === 'remove' ? index : to, action)
    if (action === 'remove') remove(index)
    else move(index, to)
  }

  const isFull = fields.length >= mostEntries
  return (
    <Panel
      flush
      title={title}
      actions={
        <Button
          ref={add}
          small
          icon={Plus}
          onClick={() => append(empty)}
          disabledReason={isFull ? `A product has at most ${mostEntries} of them.` : undefined}
        >
          Add {noun}
        </Button>
      }
    >
      {fields.length === 0 ? (
        <p className="p-4 text-ink-3">None yet.</p>
      ) : (
        <ol className="divide-y divide-rule" ref={list}>
          {fields.map(({ id }, index) => (
            <li key={id} className="grid gap-3 p-4">
              <EntryHead
                name={`${noun} ${index + 1}`}
                isFirst={index === 0}
                isLast={index === fields.length - 1}
                onAct={(action) => act(index, action)}
              />
              {children(`${name}.${index}`)}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

interface EntryHeadProps {
  name: string
  isFirst: boolean
  isLast: boolean
  onAct: (action: Action) => void
}

const EntryHead = ({ name, isFirst, isLast, onAct }: EntryHeadProps) => (
  <div className="flex items-center gap-1">
    <b className="flex-1 text-13 font-semibold first-letter:uppercase">{name}</b>
    <IconButton small icon={ArrowUp} label={`Move ${name} up`} data-action="up" disabled={isFirst} onClick={() => onAct('up')} />
    <IconButton small icon={ArrowDown} label={`Move ${name} down`} data-action="down" disabled={isLast} onClick={() => onAct('down')} />
    <IconButton small bad icon={Trash2} label={`Remove ${name}`} data-action="remove" onClick={() => onAct('remove')} />
  </div>
)

function useFocusOfMoved(entries: readonly unknown[], fallback: { current: HTMLElement | null }) {
  const list = useRef<HTMLOListElement>(null)
  const next = useRef<{ index: number; action: Action }>(undefined)
  useEffect(() => {
    if (!next.current) return
    const { index, action } = next.current
    next.current = undefined
    const entry = list.current?.children[Math.min(index, entries.length - 1)]
    const enabled = (selector: string) => entry?.querySelector<HTMLElement>(`${selector}:enabled`)
    ;(enabled(`[data-action=${action}]`) ?? enabled('[data-action]') ?? fallback.current)?.focus()
  }, [entries, fallback])
  return {
    list,
    focusNext(index: number, action: Action) {
      next.current = { index, action }
    },
  }
}

import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { Panel } from '../ui/layout/panel.tsx'

/** Most entries of a list (contract). */
const most = 100

type Action = 'up' | 'down' | 'remove'

type ProductFormEntriesProps = {
  title: string
  /** One of them, e.g. "question". */
  noun: string
  /** A key for each entry, in their order. */
  keys: readonly string[]
  onAdd: () => void
  onRemove: (index: number) => void
  onMove: (from: number, to: number) => void
  /** The fields of one entry. */
  children: (index: number) => ReactNode
}

/** A list inside the form, whose entries can be added, removed and moved. Focus stays with what was moved, or near what was removed. */
export function ProductFormEntries({ title, noun, keys, onAdd, onRemove, onMove, children }: ProductFormEntriesProps) {
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const wanted = useRef<{ index: number; action: Action }>(undefined)

  // The focus moves once the entries have.
  useEffect(() => {
    if (!wanted.current) return
    const { index, action } = wanted.current
    wanted.current = undefined
    const entry = list.current?.children[Math.min(index, keys.length - 1)]
    const button =
      entry?.querySelector<HTMLElement>(`[data-action=${action}]:enabled`) ?? entry?.querySelector<HTMLElement>('[data-action]:enabled')
    ;(button ?? add.current)?.focus()
  }, [keys])

  function act(index: number, action: Action) {
    const to = action === 'up' ? index - 1 : index + 1
    wanted.current = { index: action === 'remove' ? index : to, action }
    if (action === 'remove') onRemove(index)
    else onMove(index, to)
  }

  return (
    <Panel
      flush
      title={title}
      actions={
        <Button
          ref={add}
          small
          icon={Plus}
          onClick={onAdd}
          disabledReason={keys.length >= most ? `A product has at most ${most} of them.` : undefined}
        >
          Add {noun}
        </Button>
      }
    >
      {keys.length === 0 ? (
        <p className="p-4 text-ink-3">None yet.</p>
      ) : (
        <ol className="divide-y divide-rule" ref={list}>
          {keys.map((key, index) => {
            const name = `${noun} ${index + 1}`
            return (
              <li key={key} className="grid gap-3 p-4">
                <div className="flex items-center gap-1">
                  <b className="flex-1 text-13 font-semibold first-letter:uppercase">{name}</b>
                  <IconButton
                    small
                    icon={ArrowUp}
                    label={`Move ${name} up`}
                    data-action="up"
                    disabled={index === 0}
                    onClick={() => act(index, 'up')}
                  />
                  <IconButton
                    small
                    icon={ArrowDown}
                    label={`Move ${name} down`}
                    data-action="down"
                    disabled={index === keys.length - 1}
                    onClick={() => act(index, 'down')}
                  />
                  <IconButton small bad icon={Trash2} label={`Remove ${name}`} data-action="remove" onClick={() => act(index, 'remove')} />
                </div>
                {children(index)}
              </li>
            )
          })}
        </ol>
      )}
    </Panel>
  )
}

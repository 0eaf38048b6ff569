import '../../ui/layout/panel.css'
import { counted } from '@lectern/contract/text/numbers.ts'
import { type RefObject, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SearchInput } from '../../ui/input/search-input.tsx'
import { type Found, findOptions, formatPlace, type Place } from './places.ts'

export interface Search {
  text: string
  setText: (text: string) => void
  found: readonly Found[]
  first: RefObject<HTMLButtonElement | null>
}

export function useOptionSearch(places: readonly Place[]): Search {
  const [text, setText] = useState('')
  const found = useMemo(() => findOptions(places, text), [places, text])
  return { text, setText, found, first: useRef<HTMLButtonElement>(null) }
}

interface OptionSearchProps {
  search: Search
  onOpen: (found: Found) => void
}

export function OptionSearch({ search: { text, setText, found, first }, onOpen }: OptionSearchProps) {
  return (
    <SearchInput
      label="Find an option"
      placeholder="Find an option"
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setText('')
        if (event.key === 'Enter' && found[0]) onOpen(found[0])
        if (event.key !== 'ArrowDown' || !first.current) return
        event.preventDefault()
        first.current.focus()
      }}
    />
  )
}

export function FoundOptions({ search: { text, setText, found, first }, onOpen }: OptionSearchProps) {
  return (
    <section className="panel builder-options" aria-label="Found options">
      <div className="panel-head">
        <h2 className="heading-3" aria-live="polite">
          {counted(found.length, 'option')} found
        </h2>
        <Button small variant="ghost" className="ml-auto" onClick={() => setText('')}>
          Clear search
        </Button>
      </div>
      {found.length === 0 ? (
        <EmptyState>No option of this reader matches “{text.trim()}”.</EmptyState>
      ) : (
        <ul className="builder-scroll found-options">
          {found.map(({ option, place }, index) => (
            <li key={option.id}>
              <button type="button" ref={index === 0 ? first : undefined} onClick={() => onOpen({ option, place })}>
                <b>{option.label}</b>
                <span>{formatPlace(place)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

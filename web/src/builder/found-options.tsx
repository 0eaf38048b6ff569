import { counted } from '@lectern/contract/text/numbers.ts'
import type { RefObject } from 'react'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { type Found, formatPlace } from './places.ts'

type FoundOptionsProps = {
  text: string
  found: readonly Found[]
  first: RefObject<HTMLButtonElement | null>
  onOpen: (found: Found) => void
  onClear: () => void
}

export function FoundOptions({ text, found, first, onOpen, onClear }: FoundOptionsProps) {
  return (
    <section className="panel builder-options" aria-label="Found options">
      <div className="panel-head">
        <h2 className="heading-3" aria-live="polite">
          {counted(found.length, 'option')} found
        </h2>
        <Button small variant="ghost" className="ml-auto" onClick={onClear}>
          Clear search
        </Button>
      </div>
      {found.length === 0 ? (
        <EmptyState>No option of this reader matches “{text}”.</EmptyState>
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

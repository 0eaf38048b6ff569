import { X } from 'lucide-react'
import { Button } from '../button/button.tsx'
import { SearchInput } from '../input/search-input.tsx'
import { useTypedText } from '../input/typed-text.ts'
import type { ListControl } from './list-control.ts'

interface ListSearchProps {
  list: ListControl
  /** Names the box. */
  label: string
  placeholder: string
  /** Most characters. */
  maxLength?: number
  className?: string
  /** Of the button that takes all filters away; none where it is left out. */
  clearLabel?: string
}

/** The search box of a list. It follows the list when that changes elsewhere, by a filter or the browser's Back. */
export function ListSearch({ list, label, placeholder, maxLength = 200, className, clearLabel }: ListSearchProps) {
  const { search = '' } = list.state
  const [typed, type] = useTypedText(search, (text) => list.show({ search: text }, { replace: search !== '' && text !== '' }))

  function clear() {
    type('')
    list.clear()
  }

  return (
    <>
      <SearchInput
        ref={list.searchBox}
        className={className}
        label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        autoComplete="off"
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
      {clearLabel && (list.isFiltered || typed !== '') && (
        <Button variant="ghost" icon={X} onClick={clear}>
          {clearLabel}
        </Button>
      )}
    </>
  )
}

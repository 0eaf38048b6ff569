import { X } from 'lucide-react'
import { Button } from '../button/button.tsx'
import { SearchInput } from '../input/search-input.tsx'
import { useTypedText } from '../input/typed-text.ts'
import type { SearchControl } from './list-control.ts'

interface ListSearchProps {
  list: SearchControl
  /** Names the box. */
  label: string
  placeholder: string
  /** Most characters. */
  maxLength?: number
  className?: string
  /** Of the button that takes all filters away; none where it is left out. */
  clearLabel?: string | undefined
  /** Called after that button has taken the filters away. */
  onClear?: () => void
  /** Another filter is set in place of the text. */
  isReplaced?: boolean
}

/** The search box of a list. It follows the list when that changes elsewhere, by a filter or the browser's Back. */
export function ListSearch({ list, label, placeholder, maxLength = 200, className, clearLabel, onClear, isReplaced = false }: ListSearchProps) {
  const { search = '' } = list.state
  const show = (text: string) => list.show({ search: text }, { replace: search !== '' && text !== '' })
  const [typed, type] = useTypedText(search, show, { ofText: !isReplaced })

  function clear() {
    type('')
    list.clear()
    onClear?.()
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

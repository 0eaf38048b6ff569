import { X } from 'lucide-react'
import { Button } from '../button/button.tsx'
import { SearchInput } from '../input/search-input.tsx'
import { useTypedText } from '../input/typed-text.ts'
import type { SearchControl } from './list-control.ts'

interface ListSearchProps {
  list: SearchControl
  label: string
  placeholder: string
  maxLength?: number
  className?: string
  /** The label of the button that clears all filters; absent: no button. */
  clearLabel?: string | undefined
  onClear?: () => void
  /** Whether another filter has replaced the text. */
  isReplaced?: boolean
}

/** Takes over the list's text when that changes elsewhere, by a filter or the browser's Back. */
export function ListSearch({
  list,
  label,
  placeholder,
  maxLength = 200,
  className,
  clearLabel,
  onClear,
  isReplaced = false,
}: ListSearchProps) {
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

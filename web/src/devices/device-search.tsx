import { X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../ui/button/button.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { useTypedText } from '../ui/input/typed-text.ts'
import { type DeviceList, longestText } from './device-list.ts'

type DeviceSearchProps = { list: DeviceList; onText: (text: string) => void }

/** The search box. It follows the list when that changes elsewhere: by a tile, or by the browser's way back. */
export function DeviceSearch({ list: { text, metric }, onText }: DeviceSearchProps) {
  const [typed, type] = useTypedText(text, onText, { ofText: metric === 'all' })
  const box = useRef<HTMLInputElement>(null)

  function clear() {
    type('', { now: true })
    box.current?.focus()
  }

  return (
    <>
      <SearchInput
        ref={box}
        label="Search devices"
        placeholder="device, zone, etc..."
        maxLength={longestText}
        autoComplete="off"
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
      {typed !== '' && (
        <Button variant="ghost" icon={X} onClick={clear}>
          Clear search
        </Button>
      )}
    </>
  )
}

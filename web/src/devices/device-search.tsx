import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { type DeviceList, longestText } from './device-list.ts'

/** Milliseconds without typing until the list is asked for. */
const patience = 250

type DeviceSearchProps = { list: DeviceList; onText: (text: string) => void }

/** The search box. It follows the list when that changes elsewhere: by a tile, or by the browser's way back. */
export function DeviceSearch({ list: { text, metric }, onText }: DeviceSearchProps) {
  const [typed, setTyped] = useState(text)
  const said = useRef(text)
  const box = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // This change is our own doing, and somebody may have typed on since.
    if (text === said.current && metric === 'all') return
    said.current = text
    setTyped(text)
  }, [text, metric])

  const say = useEffectEvent((next: string) => {
    if (next === said.current) return
    said.current = next
    onText(next)
  })
  useEffect(() => {
    const timer = setTimeout(() => say(typed), patience)
    return () => clearTimeout(timer)
  }, [typed])

  function clear() {
    setTyped('')
    said.current = ''
    if (text !== '') onText('')
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
        onChange={(event) => setTyped(event.target.value)}
      />
      {typed !== '' && (
        <Button variant="ghost" icon={X} onClick={clear}>
          Clear search
        </Button>
      )}
    </>
  )
}

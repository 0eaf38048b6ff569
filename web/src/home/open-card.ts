import { useState } from 'react'

const makeKey = (id: string) => `landing-${id}`

/** Stored for this tab, so that a reload or the way back finds the page as it was left. */
export function useOpenCard(id: string): [isOpen: boolean, toggle: () => void] {
  const [isOpen, setOpen] = useState(() => read(makeKey(id)) === 'open')
  const toggle = () => {
    setOpen(!isOpen)
    write(makeKey(id), isOpen ? 'closed' : 'open')
  }
  return [isOpen, toggle]
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // Where the browser forbids storage, cards begin closed.
  }
}

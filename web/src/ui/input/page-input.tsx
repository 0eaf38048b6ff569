import { useState } from 'react'
import { Input } from './input.tsx'

interface PageInputProps {
  /** Absent in a field, which has a label itself. */
  label?: string
  page: number
  pages: number
  onPage: (page: number) => void
}

/** Navigates on Enter or blur. Other text becomes the nearest page, or the current one. */
export function PageInput({ label, page, pages, onPage }: PageInputProps) {
  const [text, setText] = useState(String(page))
  function go() {
    const entered = Number(text)
    const next = Number.isInteger(entered) ? Math.min(pages, Math.max(1, entered)) : page
    setText(String(next))
    if (next !== page) onPage(next)
  }
  return (
    <Input
      aria-label={label}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={go}
      onKeyDown={(event) => {
        if (event.key === 'Enter') go()
      }}
    />
  )
}

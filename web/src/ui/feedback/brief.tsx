import type { ReactNode } from 'react'
import { useTooltip } from './tooltip.tsx'

/** A phrase for what takes more lines: these are shown while a pointer rests on it or the keyboard is at it. A page shows them as well. */
export function Brief({ whole, children }: { whole: string; children: ReactNode }) {
  const { trigger, tooltip } = useTooltip(whole)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches what is left out */}
      <span tabIndex={0} {...trigger}>
        {children}
      </span>
      {tooltip}
    </>
  )
}

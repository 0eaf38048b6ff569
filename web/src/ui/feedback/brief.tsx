import type { ReactNode } from 'react'
import { useTooltip } from './tooltip.tsx'

/** A phrase for a text of several lines, which appear under a pointer or keyboard focus. The page has the full text elsewhere too. */
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

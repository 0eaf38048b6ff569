import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement } from 'react'

interface TooltipProps {
  text: string
  /** Must be focusable. */
  children: ReactElement
  side?: 'top' | 'right' | 'bottom' | 'left'
}

/** Nothing that a user needs may be in a tooltip only. */
export function Tooltip({ text, children, side = 'top' }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={300}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className="tooltip" side={side} sideOffset={6} collisionPadding={10}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}

import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement } from 'react'

type TooltipProps = {
  text: string
  /** One element that can have focus. */
  children: ReactElement
  side?: 'top' | 'right' | 'bottom' | 'left'
}

/** A short text beside an element while it has pointer or focus. Nothing may be said in a tooltip alone that a user needs. */
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

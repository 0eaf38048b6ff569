import './tooltip-box.css'
import { autoUpdate, flip, offset, shift, useFloating } from '@floating-ui/react-dom'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

interface TooltipBoxProps {
  id?: string
  anchor: Element
  onPointerEnter?: () => void
  onPointerLeave?: () => void
  children: ReactNode
}

export function TooltipBox({ anchor, ...box }: TooltipBoxProps) {
  const { refs, floatingStyles } = useFloating({
    placement: 'top',
    elements: { reference: anchor },
    middleware: [offset(6), flip({ padding: 10 }), shift({ padding: 10 })],
    whileElementsMounted: autoUpdate,
  })
  return createPortal(<div ref={refs.setFloating} role="tooltip" className="tooltip" style={floatingStyles} {...box} />, document.body)
}

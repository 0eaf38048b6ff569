import { type ConfigurationSymbol, type Placement, symbolPath } from './symbol.ts'

interface SymbolDrawingProps {
  symbol: ConfigurationSymbol
  placement: Placement
  label: string
  className?: string
}

/** Whole px, dark on white in every theme. Colours are attributes, so that the drawing has them without a style sheet. */
export function SymbolDrawing({ symbol, placement, label, className }: SymbolDrawingProps) {
  const { side } = placement
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      className={className}
      width={side}
      height={side}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
      <path fill="#000" d={symbolPath(symbol, placement)} />
    </svg>
  )
}

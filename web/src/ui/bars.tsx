import { Link } from 'react-router'
import { classNames } from './class-names.ts'

/** Code 128 symbols, one character per module, 1 for a bar. They scan as their names. */
const SYMBOL = {
  LECTERN: '1101001000010001101110100011010001000100011011011100010100011010001100010111010111000110100100110001100011101011',
  EMPTY: '110100100001000110100010111011000111011101101101110001011101101000100011011101100011101011',
}

type BarsProps = {
  symbol: keyof typeof SYMBOL
  /** Of one module and of the bars, in px. */
  module?: number
  height: number
  className?: string
}

/** The motif. Only under the wordmark, on the printed sheet, in registration, in empty states and on error pages. */
export function Bars({ symbol, module = 1, height, className }: BarsProps) {
  const modules = SYMBOL[symbol]
  const width = modules.length * module
  const path = [...modules.matchAll(/1+/g)].map((bar) => {
    const wide = bar[0].length * module
    return `M${bar.index * module} 0h${wide}v${height}h-${wide}z`
  })
  return (
    <svg
      className={className}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      <path d={path.join('')} fill="currentColor" />
    </svg>
  )
}

/** The name over its own barcode; leads home. */
export function Wordmark({ to = '/', className }: { to?: string; className?: string }) {
  return (
    <Link to={to} className={classNames('wordmark', className)} aria-label="Lectern, home">
      <span className="wordmark-letters">Lectern</span>
      <Bars symbol="LECTERN" height={5} />
    </Link>
  )
}

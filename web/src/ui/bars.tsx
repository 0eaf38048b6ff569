import './layout/top-bar.css'
import { Link } from 'react-router'
import { classNames } from './class-names.ts'

/** Code 128 symbols of their names, a character per module; 1 is a bar. */
const symbols = {
  LECTERN: '1101001000010001101110100011010001000100011011011100010100011010001100010111010111000110100100110001100011101011',
  EMPTY: '110100100001000110100010111011000111011101101101110001011101101000100011011101100011101011',
}

const lostSymbol =
  '110100111001100010100011101011110110010011101001101110011101110110101000110001101000100010001101000111010011001100011101011'
const damaged = { from: 47, to: 84 }

interface BarsProps {
  symbol: keyof typeof symbols
  module?: number
  height: number
  className?: string
}

/** For the wordmark, registration, empty states and error pages. Not for print, as readers would read them. */
export function Bars({ symbol, module = 1, height, className }: BarsProps) {
  const modules = symbols[symbol]
  const width = modules.length * module
  return (
    <svg
      className={className}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      <path d={drawPath(modules, module, height)} fill="currentColor" />
    </svg>
  )
}

function drawPath(modules: string, module: number, height: number): string {
  const bars = [...modules.matchAll(/1+/g)].map((bar) => {
    const wide = bar[0].length * module
    return `M${bar.index * module} 0h${wide}v${height}h-${wide}z`
  })
  return bars.join('')
}

export function BrokenBars() {
  const [module, height] = [5, 132]
  const width = lostSymbol.length * module
  const { from, to } = damaged
  const read = lostSymbol.slice(0, from).padEnd(to, '0') + lostSymbol.slice(to)
  const unread = lostSymbol.slice(from, to).padStart(to, '0')
  return (
    <svg
      className="h-auto max-w-full"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      <path d={drawPath(read, module, height)} fill="currentColor" />
      <path d={drawPath(unread, module, height)} className="fill-rule-2" />
      <path d={`M0 ${height * 0.52}H${width}`} className="stroke-accent stroke-2" strokeDasharray="8 6" />
    </svg>
  )
}

export function Wordmark({ to = '/', className }: { to?: string; className?: string }) {
  return (
    <Link to={to} className={classNames('wordmark', className)} aria-label="Lectern, home">
      <span className="wordmark-letters">Lectern</span>
      <Bars symbol="LECTERN" height={5} />
    </Link>
  )
}

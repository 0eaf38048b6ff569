import '../input/radio-group.css'
import './tiles.css'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { RadioGroup } from 'radix-ui'
import type { ReactNode } from 'react'

export interface Tile<Value extends string> {
  value: Value
  label: string
  /** The count, or why there is none (spec §8). */
  count: number | 'loading' | 'error'
  detail?: ReactNode
}

interface TilesProps<Value extends string> {
  label: string
  tiles: readonly Tile<Value>[]
  value: Value
  onChange: (value: Value) => void
}

export function Tiles<Value extends string>({ label, tiles, value, onChange }: TilesProps<Value>) {
  return (
    <RadioGroup.Root className="tiles" aria-label={label} value={value} onValueChange={(next) => onChange(next as Value)}>
      {tiles.map((tile) => (
        <RadioGroup.Item key={tile.value} value={tile.value} className="tile">
          <span className="radio-mark" aria-hidden="true" />
          <span className="tile-label">{tile.label}</span>
          <Count count={tile.count} />
          <span className="tile-detail">{tile.detail}</span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

function Count({ count }: { count: number | 'loading' | 'error' }) {
  if (typeof count === 'number') return <span className="tile-count">{formatNumber(count)}</span>
  const [text, title] = count === 'loading' ? ['...', 'loading...'] : ['?', 'error loading data']
  return (
    <span className="tile-count" data-unknown="" title={title}>
      {text}
    </span>
  )
}

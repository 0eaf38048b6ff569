import '../../ui/form/field.css'
import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { encode } from 'uqr'
import { q } from '../../lib/api/query.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { QueryStates } from '../../ui/feedback/query-states.tsx'
import { encodeSymbols, formatPart } from './print/sheet-symbols.ts'
import { type ConfigurationSymbol, encodeSymbol, placeInPicture } from './symbol.ts'
import { SymbolDrawing } from './symbol-drawing.tsx'

function DrawnSymbol({ symbol, label }: { symbol: ConfigurationSymbol; label: string }) {
  return <SymbolDrawing symbol={symbol} placement={placeInPicture(symbol)} label={label} />
}

/** The symbol of one command, such as CFG. */
export function CommandSymbol({ command, label }: { command: string; label: string }) {
  const symbol = useMemo(() => encodeSymbol({ commands: [command], reset: false }), [command])
  return <DrawnSymbol symbol={symbol} label={label} />
}

/** A barcode of a text, which a reader types as it is. */
export function TextSymbol({ text, label }: { text: string; label: string }) {
  const symbol = useMemo(() => {
    const bytes = new TextEncoder().encode(text)
    return { bytes, modules: encode([...bytes], { ecc: 'L', boostEcc: false, border: 0 }).data }
  }, [text])
  return <DrawnSymbol symbol={symbol} label={label} />
}

interface ConfigurationPartProps {
  device: BuilderDevice
  /** As they are sent, with CFR first where the reader is reset first. */
  commands: readonly string[]
  /** From 0. */
  part: number
  onCount: (count: number) => void
}

/** One of the symbols of a configuration, in the order in which they are scanned. */
export function ConfigurationPart({ device, commands, part, onCount }: ConfigurationPartProps) {
  const query = useQuery(q('getCatalogue', {}))
  const { data: catalogue } = query
  const symbols = useMemo(() => catalogue && encodeSymbols(catalogue, device, commands), [catalogue, device, commands])
  const count = symbols && !('problem' in symbols) ? symbols.length : undefined
  useEffect(() => {
    if (count !== undefined) onCount(count)
  }, [count, onCount])
  return (
    <QueryStates query={query} failed="Error loading the options">
      {() => {
        if (!symbols) return null
        if ('problem' in symbols) return <Notice kind="bad">{symbols.problem}</Notice>
        const symbol = symbols[Math.min(part, symbols.length - 1)]!
        const label = ['Configuration', formatPart(part, symbols.length)].filter(Boolean).join(', ')
        return (
          <div>
            <DrawnSymbol symbol={symbol} label={label} />
            {symbols.length > 1 && <p className="field-hint mt-2">{formatPart(part, symbols.length)}</p>}
          </div>
        )
      }}
    </QueryStates>
  )
}

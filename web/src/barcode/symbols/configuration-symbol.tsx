import './configuration-symbol.css'
import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '../../lib/api/query.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { encodeSymbols, formatPart } from './print/sheet-symbols.ts'
import { placeInPicture } from './symbol.ts'
import { SymbolDrawing } from './symbol-drawing.tsx'

interface ConfigurationSymbolsProps {
  device: BuilderDevice
  /** As sent: CFR comes first where the reader is reset first. */
  commands: readonly string[]
  /** Shown below the symbol; also its accessible name. */
  caption: string
}

export function ConfigurationSymbols({ device, commands, caption }: ConfigurationSymbolsProps) {
  const { data: catalogue } = useQuery(q('getCatalogue', {}))
  const symbols = useMemo(() => catalogue && encodeSymbols(catalogue, device, commands), [catalogue, device, commands])
  if (!symbols) return null
  if ('problem' in symbols) return <Notice kind="bad">{symbols.problem}</Notice>
  return (
    <div className="configuration-symbols">
      {symbols.map((symbol, index) => {
        const label = [caption, formatPart(index, symbols.length)].filter(Boolean).join(', ')
        return (
          <figure key={label}>
            <SymbolDrawing symbol={symbol} placement={placeInPicture(symbol)} label={`Configuration barcode, ${label}`} />
            <figcaption>{label}</figcaption>
          </figure>
        )
      })}
    </div>
  )
}

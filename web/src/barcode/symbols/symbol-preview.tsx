import './symbol-preview.css'
import { resetCommand } from '@lectern/contract/barcode/commands.ts'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { encodeSymbol, placeInPicture } from './symbol.ts'
import { SymbolDrawing } from './symbol-drawing.tsx'

interface SymbolPreviewProps {
  /** As sent, with CFR first where the reader is reset first. Must fit into one symbol. */
  commands: readonly string[]
  children: ReactNode
}

export function SymbolPreview({ commands, children }: SymbolPreviewProps) {
  const shown = useDeferredValue(commands)
  const symbol = useMemo(() => {
    const reset = shown[0] === resetCommand
    return encodeSymbol({ commands: reset ? shown.slice(1) : [...shown], reset })
  }, [shown])
  const side = symbol.modules.length
  return (
    <div className="symbol-preview">
      <SymbolDrawing symbol={symbol} placement={placeInPicture(symbol)} label="Live preview of the barcode" />
      <div>
        <b>Live preview</b>
        {children}
        <span>
          {side} × {side} modules
        </span>
        <span>Error correction L</span>
      </div>
    </div>
  )
}

import '../../ui/form/field.css'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { formatNames } from '@lectern/contract/text/names.ts'
import { useMemo, useState } from 'react'
import { type ScanPart, scanParts, scanSymbol } from './scan-barcode.ts'

/** In px, of which each module takes a whole number. */
const room = 208

export function ScanCode({ device }: { device: UpdateModel }) {
  const parts = scanParts(device)
  const [chosen, setChosen] = useState(0)
  const commands = parts[chosen]?.commands ?? []
  return (
    <>
      {commands.length > 0 && (
        <div className="scan-code">
          <ScanSymbol commands={commands} label={`Part ${chosen + 1} of the barcode for ${device}`} />
        </div>
      )}
      <ol className="scan-parts" aria-label="Parts of the barcode">
        {parts.map((each, index) => (
          <li key={`${index + 1} ${each.does}`}>
            {each.commands.length > 0 ? (
              <button type="button" className="scan-part" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
                <span className="sr-only">Part </span>
                {index + 1}
              </button>
            ) : (
              <span className="scan-part scan-part-unknown">
                <span className="sr-only">Part </span>
                {index + 1}
                <span className="sr-only">, not published</span>
              </span>
            )}
          </li>
        ))}
      </ol>
      <p className="field-hint">{formatCaption(device, parts, chosen)}</p>
    </>
  )
}

function ScanSymbol({ commands, label }: { commands: readonly string[]; label: string }) {
  const { size, path } = useMemo(() => scanSymbol(commands), [commands])
  const width = size * Math.max(2, Math.floor(room / size))
  return (
    <svg width={width} height={width} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" role="img" aria-label={label}>
      <rect className="scan-code-paper" width={size} height={size} />
      <path className="scan-code-ink" d={path} />
    </svg>
  )
}

const sources: Record<ScanPart['evidence'], string> = {
  published: '',
  secondary: ' A listing of the maker’s settings has its command; the guide does not confirm it for this reader.',
  inferred: ' Its commands are published; that they are this part is inferred.',
  unknown: '',
}

function formatCaption(device: UpdateModel, parts: readonly ScanPart[], chosen: number): string {
  const part = parts[chosen]
  const unknown = parts.flatMap(({ evidence }, index) => (evidence === 'unknown' ? [String(index + 1)] : []))
  if (!part || unknown.length === parts.length)
    return `No public document says what makes a ${device} send its configuration, so none of the ${parts.length} parts is drawn. Paste the configuration instead.`
  const does = `Part ${chosen + 1} of ${parts.length}: ${part.does}.${sources[part.evidence]}`
  if (unknown.length === 0) return does
  return `${does} The commands of parts ${formatNames(unknown)} are not public, so they are not drawn.`
}

import './print-sheet.css'
import { Bars } from '../../../ui/bars.tsx'
import { OptionLines } from '../option-lines.tsx'
import type { Drawn } from '../proof.ts'
import type { Reading } from '../read/reading.ts'
import { placeInPicture, placeOnPaper } from '../symbol.ts'
import { SymbolDrawing } from '../symbol-drawing.tsx'

interface PrintSheetProps {
  ref: React.Ref<HTMLElement>
  device: string
  /** Null where no organization is known. */
  organization: string | null
  made: string
  drawn: readonly Drawn[]
  reading: Reading
  isProved: boolean
}

/** Black on white in every theme. A symbol has a drawing in px for the screen and one of 76 mm for paper. */
export function PrintSheet({ ref, device, organization, made, drawn, reading, isProved }: PrintSheetProps) {
  return (
    <article className="print-sheet" ref={ref} data-proved={isProved}>
      <header>
        <div>
          <h2 className="print-sheet-title">{device} configuration</h2>
          <p className="print-sheet-made">
            {organization && `${organization}. `}Generated {made}
          </p>
        </div>
        <div className="print-sheet-wordmark">
          <b>Lectern</b>
          <Bars symbol="LECTERN" height={5} />
        </div>
      </header>
      <p className="print-sheet-refused">This barcode has not been read back, so it is not printed.</p>
      <div className="print-sheet-body">
        <div className="print-sheet-symbols">
          {drawn.map(({ symbol, caption }) => (
            <figure key={caption}>
              <SymbolDrawing
                symbol={symbol}
                placement={placeInPicture(symbol)}
                className="print-sheet-shown"
                label={`Configuration barcode, ${caption}`}
              />
              <SymbolDrawing
                symbol={symbol}
                placement={placeOnPaper(symbol)}
                className="print-sheet-printed"
                label={`Configuration barcode, ${caption}`}
              />
              <figcaption>{caption}</figcaption>
            </figure>
          ))}
        </div>
        <OptionLines reading={reading} />
      </div>
      <footer>For {device} only. Print at 100% scale and keep the white border around the code clear.</footer>
    </article>
  )
}

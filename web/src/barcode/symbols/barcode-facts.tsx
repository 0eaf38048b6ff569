import '../../ui/form/field.css'
import { symbolSize } from '@lectern/contract/barcode/symbol.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Status } from '../../ui/feedback/status.tsx'
import { DefinitionList } from '../../ui/layout/definition-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'
import { type Drawn, formatPictureName, type Proof } from './proof.ts'
import { formatContent, type Reading } from './read/reading.ts'

interface BarcodeFactsProps {
  device: string
  commands: readonly string[]
  reading: Reading
  drawn: readonly Drawn[]
  proof: Proof
}

export function BarcodeFacts({ device, commands, reading, drawn, proof }: BarcodeFactsProps) {
  const bytes = drawn.reduce((sum, { symbol }) => sum + symbol.bytes.length, 0)
  const sizes = [...new Set(drawn.map(({ symbol }) => symbol.modules.length))].map((side) => `${side} × ${side}`)
  const pictures = [...new Set(drawn.map(({ symbol }) => inPixels(symbolSize(symbol.bytes.length, { caption: true }))))]
  const content = formatContent(reading)
  const isSeveral = drawn.length > 1
  return (
    <Panel
      flush
      title={isSeveral ? counted(drawn.length, 'barcode') : 'Barcode'}
      actions={<span className="text-12 text-ink-3">{reading.reset && content !== 'reset' ? `${content} and reset` : content}</span>}
    >
      <div className="panel-body grid gap-4">
        <div className="flex items-center gap-3">
          <span className="barcode-facts-plate">
            <ReaderDrawing model={device} width={60} weight="small" />
          </span>
          <div>
            <b className="font-semibold">{device}</b>
            <p className="text-13 text-ink-2">Supported by this barcode</p>
          </div>
        </div>
        <DefinitionList
          items={[
            ['Data length', counted(bytes, 'byte')],
            ['Symbol', `${sizes.join(', ')} modules, EC L`],
            ['Image', `${pictures.join(', ')} px PNG`],
            [
              isSeveral ? 'File names' : 'File name',
              <span className="mono" key="names">
                {formatNameCount(drawn.length)}
              </span>,
            ],
            ['Self-check', <ProofStatus proof={proof} key="check" />],
          ]}
        />
      </div>
      <div className="barcode-facts-text">
        <span className="field-label">Encoded text</span>
        <section
          className="barcode-facts-commands mono"
          aria-label="Encoded text"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
          tabIndex={0}
        >
          {commands.join(';')}
        </section>
      </div>
    </Panel>
  )
}

const inPixels = ({ width, height }: { width: number; height: number }): string => `${width} × ${height}`

const formatNameCount = (count: number): string =>
  count > 1 ? `${formatPictureName(0, count)} to ${formatPictureName(count - 1, count)}` : formatPictureName(0, count)

function ProofStatus({ proof: { state } }: { proof: Proof }) {
  return (
    <span role="status">
      {state === 'checking' && (
        <Status kind="run" spoken="">
          Reading it back
        </Status>
      )}
      {state === 'checked' && (
        <Status kind="ok" spoken="">
          Reads back exactly
        </Status>
      )}
      {state === 'lost' && (
        <Status kind="wait" spoken="">
          Waiting for the connection
        </Status>
      )}
      {state === 'failed' && (
        <Status kind="bad" spoken="">
          Failed
        </Status>
      )}
    </span>
  )
}

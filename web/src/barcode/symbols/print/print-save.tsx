import { useScreens } from '../../../lib/screens.ts'
import { paths, patterns } from '../../../paths.ts'
import './print-save.css'
import type { BuilderDevice, Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { ArrowLeft, Bookmark, Download, Printer, Ruler } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { saveFile } from '../../../lib/files/save-file.ts'
import { formatMinute } from '../../../lib/format.ts'
import { Button } from '../../../ui/button/button.tsx'
import { ButtonLink } from '../../../ui/button/button-link.tsx'
import { useDialog } from '../../../ui/dialog/dialog.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Page, PageHead } from '../../../ui/layout/page.tsx'
import { BarcodeFacts } from '../barcode-facts.tsx'
import { NoConnectionNotice } from '../no-connection-notice.tsx'
import { type Proof, useProof } from '../proof.ts'
import type { KnownOrganization } from '../read/known-organization.ts'
import { formatContent, readCommands } from '../read/reading.ts'
import type { ConfigurationSymbol } from '../symbol.ts'
import { PrintSheet } from './print-sheet.tsx'
import { formatPart } from './sheet-symbols.ts'

interface PrintSaveProps {
  catalogue: Catalogue
  device: BuilderDevice
  organization: KnownOrganization | null
  commands: readonly string[]
  symbols: readonly ConfigurationSymbol[]
  intro: ReactNode
}

/** Printing and downloading wait until the symbols were read back. */
export function PrintSave({ catalogue, organization, device, commands, symbols, intro }: PrintSaveProps) {
  const sheet = useRef<HTMLElement>(null)
  const [made] = useState(() => formatMinute(new Date().toISOString()))
  const reading = useMemo(() => readCommands(catalogue, device, commands), [catalogue, device, commands])
  const content = formatContent(reading)
  const drawn = useMemo(
    () =>
      symbols.map((symbol, index) => ({
        symbol,
        caption: [device, content, formatPart(index, symbols.length)].filter(Boolean).join(', '),
      })),
    [symbols, device, content],
  )
  const proof = useProof(drawn, () => [...(sheet.current?.querySelectorAll<SVGSVGElement>('.print-sheet-printed') ?? [])])

  return (
    <Page>
      <PageHead
        title="Print / Save"
        intro={intro}
        actions={<Actions proof={proof} organization={organization} device={device} commands={commands} content={content} />}
      />
      <ProofNotice proof={proof} />
      <div className="print-save">
        <section className="print-desk" aria-label="Print preview">
          <PrintSheet
            ref={sheet}
            device={device}
            organization={organization?.name ?? null}
            made={made}
            drawn={drawn}
            reading={reading}
            isProved={proof.state === 'checked'}
          />
        </section>
        <aside className="print-save-rail" aria-label="About the barcode">
          <BarcodeFacts device={device} commands={commands} reading={reading} drawn={drawn} proof={proof} />
          <div className="notice">
            <Ruler size={16} />
            <span>Print at 100% scale and keep the white border: a reader needs it to find the code.</span>
          </div>
          <ButtonLink icon={ArrowLeft} className="justify-self-start" to={paths.builder({ device }, { config: JSON.stringify(commands) })}>
            Back to builder
          </ButtonLink>
        </aside>
      </div>
    </Page>
  )
}

function ProofNotice({ proof }: { proof: Proof }) {
  if (proof.state !== 'lost' && proof.state !== 'failed') return null
  return (
    <div className="mb-4">
      {proof.state === 'lost' ? (
        <NoConnectionNotice onRetry={proof.retry}>
          The barcode is printed and downloaded once it is read back, which goes on when the connection is back.
        </NoConnectionNotice>
      ) : (
        <Notice kind="bad">{proof.reason} It is therefore neither printed nor downloaded. Try another browser.</Notice>
      )}
    </div>
  )
}

function explainRefusal(proof: Proof): string | undefined {
  if (proof.state === 'checking') return 'The barcode is being read back.'
  if (proof.state === 'lost') return 'There is no connection to read the barcode back.'
  return proof.state === 'failed' ? proof.reason : undefined
}

interface ActionsProps extends Pick<PrintSaveProps, 'device' | 'commands'> {
  proof: Proof
  organization: KnownOrganization | null
  content: string
}

function Actions({ proof, organization, device, commands, content }: ActionsProps) {
  const { open } = useDialog()
  const refusal = explainRefusal(proof)
  const hasDesk = useScreens()(patterns.setUpReader) !== null
  return (
    <>
      {hasDesk && <ButtonLink to={paths.setUpReader({ device, config: JSON.stringify(commands) })}>Set up a reader</ButtonLink>}
      <Button
        icon={Download}
        disabledReason={refusal}
        onClick={() => {
          if (proof.state === 'checked') for (const picture of proof.pictures) saveFile(picture)
        }}
      >
        Download
      </Button>
      {organization && (
        <Button
          icon={Bookmark}
          onClick={() =>
            open<void>(async (close) => {
              const { SaveConfiguration } = await import('./save-configuration.tsx')
              return <SaveConfiguration organization={organization} device={device} commands={commands} content={content} close={close} />
            })
          }
        >
          Save
        </Button>
      )}
      <Button variant="primary" icon={Printer} disabledReason={refusal} onClick={() => window.print()}>
        Print
      </Button>
    </>
  )
}

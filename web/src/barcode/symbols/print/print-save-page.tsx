import { BuilderDevice, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { CommandList } from '@lectern/contract/library.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, Navigate, useParams, useSearchParams } from 'react-router'
import { q } from '../../../lib/api/query.ts'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { useScreens } from '../../../lib/screens.ts'
import { paths, patterns } from '../../../paths.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Page, PageHead } from '../../../ui/layout/page.tsx'
import { OptionsPending } from '../options-pending.tsx'
import { type KnownOrganization, useKnownOrganization } from '../read/known-organization.ts'
import { PrintSave } from './print-save.tsx'
import { encodeSymbols } from './sheet-symbols.ts'

/** A config that cannot be sent leads back to the builder (spec §5). */
export default function PrintSavePage() {
  useDocumentTitle('Print / Save')
  const { device: name = '' } = useParams()
  const config = useSearchParams()[0].get('config')
  const commands = useMemo(() => commandsIn(config), [config])
  const device = BuilderDevice.safeParse(name)
  const catalogue = useQuery(q('getCatalogue', {}))
  const organization = useKnownOrganization()
  if (!device.success || commands === null) return <Navigate to={paths.builder({ device: name })} replace />
  if (catalogue.data) return <Loaded catalogue={catalogue.data} organization={organization} device={device.data} commands={commands} />
  return (
    <Page>
      <PageHead title="Print / Save" intro={<Intro />} />
      <OptionsPending label="Print preview" catalogue={catalogue} />
    </Page>
  )
}

interface LoadedProps {
  catalogue: Catalogue
  organization: KnownOrganization | null
  device: BuilderDevice
  commands: readonly string[]
}

function Loaded({ catalogue, organization, device, commands }: LoadedProps) {
  const symbols = useMemo(() => encodeSymbols(catalogue, device, commands), [catalogue, device, commands])
  if (!('problem' in symbols))
    return (
      <PrintSave
        catalogue={catalogue}
        organization={organization}
        device={device}
        commands={commands}
        symbols={symbols}
        intro={<Intro />}
      />
    )
  return (
    <Page>
      <PageHead title="Print / Save" intro={<Intro />} />
      <Notice kind="bad">
        {symbols.problem} <Link to={paths.builder({ device }, { config: JSON.stringify(commands) })}>Back to builder</Link>
      </Notice>
    </Page>
  )
}

function Intro() {
  const hasLibrary = useScreens()(patterns.library) !== null
  if (!hasLibrary) return 'Print this sheet.'
  return (
    <>
      Print this sheet or save it to your organization. Saved configurations are in the{' '}
      <Link to={paths.library()}>Configuration Library</Link>.
    </>
  )
}

/** Reads the commands of the address; null where it has no list of commands that can be sent. */
function commandsIn(config: string | null): string[] | null {
  try {
    return CommandList.safeParse(JSON.parse(config ?? '')).data ?? null
  } catch {
    return null
  }
}

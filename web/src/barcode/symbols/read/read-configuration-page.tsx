import './read-configuration-page.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { q } from '../../../lib/api/query.ts'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { useScreens } from '../../../lib/screens.ts'
import { paths, patterns } from '../../../paths.ts'
import { QueryError } from '../../../ui/feedback/query-states.tsx'
import { Segment } from '../../../ui/input/segment.tsx'
import { Page, PageHead } from '../../../ui/layout/page.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { FileSource } from './file-source.tsx'
import { type Found, nothing } from './source.ts'

const FoundConfiguration = lazyPart(async () => (await import('./found-configuration.tsx')).FoundConfiguration, null)
const ScannerSource = lazyPart(async () => (await import('./scanner-source.tsx')).ScannerSource, null)
const TextSource = lazyPart(async () => (await import('./text-source.tsx')).TextSource, null)

const sources = { file: FileSource, text: TextSource, scanner: ScannerSource }
type Source = keyof typeof sources

const choices: readonly { value: Source; label: string }[] = [
  { value: 'file', label: 'Picture or PDF' },
  { value: 'text', label: 'Text' },
  { value: 'scanner', label: 'Scanner' },
]

export default function ReadConfigurationPage() {
  useDocumentTitle('Read a configuration')
  const [source, setSource] = useState<Source>('file')
  const [found, setFound] = useState<Found>(nothing)
  const hasLibrary = useScreens()(patterns.library) !== null
  const catalogue = useQuery(q('getCatalogue', {}))
  const Input = sources[source]
  return (
    <Page>
      <PageHead
        title="Read a configuration"
        intro={
          <>
            See what a configuration barcode does to a reader, then change, print or save it.
            {hasLibrary && (
              <>
                {' '}
                Yours are in the <Link to={paths.library()}>Configuration Library</Link>.
              </>
            )}
          </>
        }
      />
      <div className="read-configuration">
        <Panel
          title="Barcode"
          actions={
            <Segment
              label="Where it comes from"
              choices={choices}
              value={source}
              small
              onChange={(next) => {
                setSource(next)
                setFound(nothing)
              }}
            />
          }
        >
          <Input onFound={setFound} />
        </Panel>
        {catalogue.isError ? (
          <Panel flush aria-label="Configuration">
            <QueryError query={catalogue} failed="Error loading the options" />
          </Panel>
        ) : (
          <FoundConfiguration catalogue={catalogue.data} found={found} />
        )}
      </div>
    </Page>
  )
}

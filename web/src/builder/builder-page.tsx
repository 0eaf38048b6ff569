import { BuilderDevice } from '@lectern/contract/catalogue.ts'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { q } from '../lib/query.ts'
import { ErrorPanel } from '../ui/empty-state.tsx'
import { Page, PageHead } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { Builder } from './builder.tsx'

/** `/codedm/create-configuration/{device}` (spec §2). A reader that the builder does not know leads back (spec §5). */
export default function BuilderPage() {
  useDocumentTitle('Create a Device Configuration')
  const device = BuilderDevice.safeParse(useParams().device)
  const catalogue = useQuery(q('getCatalogue', {}))
  if (!device.success) return <Navigate to="/codedm/create-configuration" replace />
  if (catalogue.data) return <Builder key={device.data} catalogue={catalogue.data} device={device.data} />
  return (
    <Page>
      <PageHead title="Create a Device Configuration" intro={`Configure ${device.data}.`} />
      <Panel flush aria-label="Options">
        {catalogue.isError ? (
          <ErrorPanel
            message="Error loading the options"
            detail={catalogue.error.message}
            onRetry={catalogue.refetch}
            retrying={catalogue.isFetching}
          />
        ) : (
          <p className="p-4" role="status">
            Loading...
          </p>
        )}
      </Panel>
    </Page>
  )
}

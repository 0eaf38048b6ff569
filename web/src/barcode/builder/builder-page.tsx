import { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { q } from '../../lib/api/query.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { paths } from '../../paths.ts'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { OptionsPending } from '../symbols/options-pending.tsx'
import { Builder } from './builder.tsx'

/** The page of an unknown reader leads back (spec §5). */
export default function BuilderPage() {
  useDocumentTitle('Create a Device Configuration')
  const device = BuilderDevice.safeParse(useParams().device)
  const catalogue = useQuery(q('getCatalogue', {}))
  if (!device.success) return <Navigate to={paths.createConfiguration()} replace />
  if (catalogue.data) return <Builder key={device.data} catalogue={catalogue.data} device={device.data} />
  return (
    <Page>
      <PageHead title="Create a Device Configuration" intro={`Configure ${device.data}.`} />
      <OptionsPending label="Options" catalogue={catalogue} />
    </Page>
  )
}

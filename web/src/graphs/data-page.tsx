import { lazy, Suspense, use } from 'react'
import { useSearchParams } from 'react-router'
import { SimulatedNotice } from '../devices/simulated-notice.tsx'
import { ActiveOrganizationContext } from '../lib/active-organization.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useHoldings } from '../lib/screens.ts'
import { Segment } from '../ui/input/segment.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'

// The chart library is larger than the rest of the screen, which is shown first (spec §2).
const Graphs = lazy(async () => ({ default: (await import('./graphs.tsx')).Graphs }))

export default function DataPage() {
  useDocumentTitle('Data')
  const organizationId = use(ActiveOrganizationContext)
  const isAnalyst = useHoldings().permissions.includes('global:access:analytics')
  const [address, setAddress] = useSearchParams()
  const isGlobal = isAnalyst && (organizationId === null || address.get('scope') === 'global')

  return (
    <Page>
      <PageHead
        title="Data"
        intro={`Usage across ${isGlobal ? 'all organizations' : 'your organization'}, from devices that reported in the last 365 days. Days are in UTC.`}
        actions={
          isAnalyst &&
          organizationId !== null && (
            <Segment
              label="Scope"
              choices={[
                { value: 'organization', label: 'Organization' },
                { value: 'global', label: 'Global' },
              ]}
              value={isGlobal ? 'global' : 'organization'}
              onChange={(scope) => setAddress(scope === 'global' ? { scope } : {}, { preventScrollReset: true })}
            />
          )
        }
      />
      {!isGlobal && organizationId !== null && <SimulatedNotice organizationId={organizationId} />}
      <Suspense fallback={<p role="status">Loading Charts...</p>}>
        <Graphs organizationId={isGlobal ? null : organizationId} />
      </Suspense>
    </Page>
  )
}

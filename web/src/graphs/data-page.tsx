import { queryOptions, useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { useSearchParams } from 'react-router'
import { SimulatedNotice } from '../devices/simulated-notice.tsx'
import { ActiveOrganizationContext } from '../lib/active-organization.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useHoldings } from '../lib/screens.ts'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Segment } from '../ui/input/segment.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { reloadStyles } from '../ui/lost-styles.ts'

// The chart library is larger than the rest of the screen, so it is loaded after that is shown (spec §2).
const script = queryOptions({
  queryKey: ['graphs'],
  queryFn: async () => {
    await reloadStyles()
    return import('./graphs.tsx')
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export default function DataPage() {
  useDocumentTitle('Data')
  const organizationId = use(ActiveOrganizationContext)
  const isAnalyst = useHoldings().permissions.includes('global:access:analytics')
  const [address, setAddress] = useSearchParams()
  const graphs = useQuery(script)
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
      {(isGlobal || organizationId !== null) && <SimulatedNotice organizationId={isGlobal ? null : organizationId} />}
      {graphs.data ? (
        <graphs.data.Graphs organizationId={isGlobal ? null : organizationId} />
      ) : (
        <QueryStates query={graphs} failed="Error loading the charts" loading={<p role="status">Loading Charts...</p>}>
          {() => null}
        </QueryStates>
      )}
    </Page>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { usePermission } from '../lib/session.ts'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { CreateZone } from './create-zone.tsx'
import { ZoneGuide } from './zone-guide.tsx'
import { ZoneList } from './zone-list.tsx'
import { zoneRows } from './zone-row.ts'

/** How often the online marks are read again while the page is visible, in ms. */
const refreshEvery = 15_000

/** `/codedm/zones` (spec §2): list, create, delete, and each zone's location file. */
export default function ZonesPage() {
  useDocumentTitle('Manage Your Zones')
  const organizationId = useOrganization()
  const canManage = usePermission('manage:firmware')
  const zones = useQuery(q('listZones', { params: { organizationId } }))
  const overviews = useQuery({ ...q('listZoneOverviews', { params: { organizationId } }), refetchInterval: refreshEvery })
  const [created, setCreated] = useState<string>()

  const rows = useMemo(() => {
    const overview = overviews.isError ? 'error' : (overviews.data ?? 'loading')
    return zoneRows(zones.data ?? [], overview, created)
  }, [zones.data, overviews.data, overviews.isError, created])

  return (
    <Page className="[&_.record:has([data-new])]:bg-accent-soft [&_tr:has([data-new])>td]:bg-accent-soft">
      <PageHead
        title="Manage Your Zones"
        intro="A zone is a location or workflow that uses one device configuration. Install each zone’s location file on its host PC."
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          {zones.data ? (
            <ZoneList zones={rows} canCreate={canManage} />
          ) : (
            <Panel flush aria-label="Zones">
              {zones.isError ? (
                <ErrorPanel message={zones.error.message || 'unknown error'} onRetry={zones.refetch} retrying={zones.isFetching} />
              ) : (
                <p className="p-4" role="status">
                  Loading...
                </p>
              )}
            </Panel>
          )}
          {canManage && <CreateZone organizationId={organizationId} zones={zones.data ?? []} onCreated={(zone) => setCreated(zone.id)} />}
        </div>
        <ZoneGuide zones={rows} />
      </div>
    </Page>
  )
}

import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { type DeviceList, readList, withMetric, withText, writeList } from './device-list.ts'
import { DeviceSearch } from './device-search.tsx'
import { DeviceTable } from './device-table.tsx'
import { DeviceTiles } from './device-tiles.tsx'
import { DriftNotice } from './drift-notice.tsx'
import { ExportDevices } from './export-devices.tsx'
import { lastUpdatedZone } from './last-updated.ts'

/** `/codedm/device-dashboard` (spec §2): totals, and the list they filter. The page's address holds what the list shows. */
export default function DeviceDashboardPage() {
  useDocumentTitle('Device Dashboard')
  const organizationId = useOrganization()
  const [address, setAddress] = useSearchParams()
  const list = useMemo(() => readList(address), [address])
  const show = useCallback(
    (next: DeviceList, { replace = false } = {}) => setAddress(writeList(next), { replace, preventScrollReset: true }),
    [setAddress],
  )

  return (
    <Page>
      <PageHead
        title="Device Dashboard"
        intro="Every reader registered to your organization. A tile filters the list; a search replaces the tile."
      />
      <DeviceTiles organizationId={organizationId} metric={list.metric} onMetric={(metric) => show(withMetric(list, metric))} />
      <DriftNotice organizationId={organizationId} metric={list.metric} onMetric={(metric) => show(withMetric(list, metric))} />
      <Panel flush aria-label="Devices">
        <DeviceTable
          organizationId={organizationId}
          list={list}
          onList={show}
          // While a word is typed, the way back leads to the list before it, not to each of its letters.
          search={<DeviceSearch list={list} onText={(text) => show(withText(list, text), { replace: list.text !== '' && text !== '' })} />}
          tools={
            <>
              <span className="toolbar-note">Last Updated is shown in {lastUpdatedZone}</span>
              <ExportDevices organizationId={organizationId} list={list} />
            </>
          }
        />
      </Panel>
    </Page>
  )
}

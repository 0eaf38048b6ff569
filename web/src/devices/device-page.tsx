import './device-page.css'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { DeviceHistory } from '../audit/device-history.tsx'
import { useOrganization } from '../lib/active-organization.ts'
import { CallError } from '../lib/api/call-error.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { type CameFrom, serialAt } from './device-address.ts'
import { DeviceConfiguration } from './device-configuration.tsx'
import { DeviceIdentity, DeviceState } from './device-facts.tsx'
import { DeviceFirmware } from './device-firmware.tsx'
import { refreshEvery } from './refresh.ts'

const dashboard = paths.devices()

/** `/codedm/devices/{serialNumber}`: what a reader is, how it is, what it shall run beside what it runs, and what was done to it. */
export default function DevicePage() {
  const { pathname, state } = useLocation()
  const serialNumber = serialAt(pathname)
  const from = state as CameFrom | null
  return (
    <>
      <BackStrip to={`${dashboard}${from?.dashboard ?? ''}`} label="My Devices" />
      <Page>{serialNumber ? <Reader key={serialNumber} serialNumber={serialNumber} /> : <ReaderNotFound />}</Page>
    </>
  )
}

function Reader({ serialNumber }: { serialNumber: string }) {
  useDocumentTitle(serialNumber)
  const params = { organizationId: useOrganization(), serialNumber }
  const { data: device, error, isFetching, refetch } = useQuery({ ...q('getDevice', { params }), refetchInterval: refreshEvery })
  const readsLog = usePermission('access:audit_log')

  if (!device) {
    if (error instanceof CallError && [400, 404].includes(Number(error.status))) return <ReaderNotFound />
    if (error) return <ErrorPanel message="Error loading the reader" detail={error.message} onRetry={refetch} retrying={isFetching} />
    return (
      <p role="status" className="text-ink-2">
        Loading...
      </p>
    )
  }
  return (
    <>
      <PageHead
        trail={device.deviceType}
        title={<bdi className="mono wrap-anywhere">{serialNumber}</bdi>}
        intro="What this reader shall run beside what it reports, and every change that names it."
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <DeviceConfiguration device={device} />
          <DeviceFirmware device={device} />
          {readsLog && <DeviceHistory organizationId={params.organizationId} serialNumber={serialNumber} />}
        </div>
        <aside className="grid gap-4" aria-label="Reader">
          <DeviceState device={device} />
          <DeviceIdentity device={device} />
        </aside>
      </div>
    </>
  )
}

function ReaderNotFound() {
  useDocumentTitle('Reader not found')
  return (
    <NotFound title="Reader not found" to={dashboard} back="My Devices">
      No host PC of your organization has reported this serial number. The link may have been cut short.
    </NotFound>
  )
}

import type { Device } from '@lectern/contract/devices/devices.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { StaleNotice } from '../ui/feedback/stale-notice.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { Desired, DesiredAndReported, name } from './desired-and-reported.tsx'
import { DeviceStanding } from './device-standing.tsx'
import { Reapply } from './reapply.tsx'
import { refreshWhile } from './refresh.ts'
import { UnreadPanel } from './unread-panel.tsx'

/** What firmware a reader's zone wants it to run beside what it says it runs. */
export function DeviceFirmware({ device }: { device: Device }) {
  const params = { organizationId: useOrganization(), serialNumber: device.serialNumber }
  const { data, error, isFetching, refetch } = useQuery({
    ...q('getDeviceFirmware', { params }),
    refetchInterval: ({ state }) => refreshWhile(state.data?.reapplication),
  })
  if (!data) return <UnreadPanel title="Firmware" what="firmware" query={{ error, isFetching, refetch }} />
  return (
    <Panel title="Firmware" actions={<Reapply what="firmware" device={device} stands={data} />} flush>
      {error && <StaleNotice message="Error loading the firmware." onRetry={refetch} retrying={isFetching} />}
      <DeviceStanding of="firmware" device={device} stands={data} />
      <DesiredAndReported
        of="Firmware"
        desired={
          data.desired ? (
            <Desired what="Firmware" label={data.desired.firmware} publication={data.desired} />
          ) : (
            <p>Nothing is published for this model.</p>
          )
        }
        reported={
          data.reported ? (
            <DefinitionList
              left
              items={[
                ['Firmware', name(data.reported)],
                ['Checked in', formatMinute(device.lastSeen)],
              ]}
            />
          ) : (
            <p>The reader reports no firmware.</p>
          )
        }
      />
    </Panel>
  )
}

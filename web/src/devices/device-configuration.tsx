import type { Device } from '@lectern/contract/devices/devices.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { StaleNotice } from '../ui/feedback/stale-notice.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { Desired, DesiredAndReported, hash, name } from './desired-and-reported.tsx'
import { DeviceStanding } from './device-standing.tsx'
import { Reapply } from './reapply.tsx'
import { refreshWhile } from './refresh.ts'
import { UnreadPanel } from './unread-panel.tsx'

/** What a reader's zone wants it to run beside what it says it runs, and how the two stand. */
export function DeviceConfiguration({ device }: { device: Device }) {
  const params = { organizationId: useOrganization(), serialNumber: device.serialNumber }
  const { data, error, isFetching, refetch } = useQuery({
    ...q('getDeviceConfiguration', { params }),
    refetchInterval: ({ state }) => refreshWhile(state.data?.reapplication),
  })

  if (!data) return <UnreadPanel title="Configuration" what="configuration" query={{ error, isFetching, refetch }} />
  return (
    <Panel title="Configuration" actions={<Reapply what="configuration" device={device} stands={data} />} flush>
      {error && <StaleNotice message="Error loading the configuration." onRetry={refetch} retrying={isFetching} />}
      <DeviceStanding of="configuration" device={device} stands={data} />
      <DesiredAndReported
        desired={
          data.desired ? (
            <Desired what="Configuration" label={data.desired.configuration} publication={data.desired} />
          ) : (
            <p>Nothing is published for this model.</p>
          )
        }
        reported={
          data.reported ? (
            <DefinitionList
              left
              items={[
                ['Configuration', name(data.reported.configuration)],
                ...hash(data.reported.contentHash),
                ['Checked in', formatMinute(device.lastSeen)],
              ]}
            />
          ) : (
            <p>The reader reports no configuration, as after a factory reset.</p>
          )
        }
      />
    </Panel>
  )
}

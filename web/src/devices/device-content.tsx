import type { Device } from '@lectern/contract/devices/devices.ts'
import type { Arguments } from '@lectern/contract/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { DeviceStanding, Reapply } from './device-standing.tsx'
import { refreshDuring } from './refresh.ts'

type DeviceParams = Arguments<'getDeviceConfiguration'>['params']

export const useDeviceConfiguration = (params: DeviceParams) =>
  useQuery({
    ...q('getDeviceConfiguration', { params }),
    refetchInterval: ({ state }) => refreshDuring(state.data?.reapplication),
  })

export const useDeviceFirmware = (params: DeviceParams) =>
  useQuery({
    ...q('getDeviceFirmware', { params }),
    refetchInterval: ({ state }) => refreshDuring(state.data?.reapplication),
  })

interface DeviceConfigurationProps {
  device: Device
  query: ReturnType<typeof useDeviceConfiguration>
}

export function DeviceConfiguration({ device, query }: DeviceConfigurationProps) {
  return (
    <Panel title="Configuration" actions={query.data && <Reapply what="configuration" device={device} status={query.data} />} flush>
      <QueryStates query={query} failed="Error loading the configuration">
        {(status) => (
          <>
            <DeviceStanding what="configuration" device={device} status={status} />
            <Sides
              names={['Desired by its zone', 'Reported by the reader']}
              desired={status.desired && <Desired what="Configuration" name={status.desired.configuration} publication={status.desired} />}
              reported={
                status.reported ? (
                  <DefinitionList
                    left
                    items={[
                      ['Configuration', <Name>{status.reported.configuration}</Name>],
                      ...hashItem(status.reported.contentHash),
                      ['Checked in', formatMinute(device.lastSeen)],
                    ]}
                  />
                ) : (
                  <p>The reader reports no configuration, as after a factory reset.</p>
                )
              }
            />
          </>
        )}
      </QueryStates>
    </Panel>
  )
}

interface DeviceFirmwareProps {
  device: Device
  query: ReturnType<typeof useDeviceFirmware>
}

export function DeviceFirmware({ device, query }: DeviceFirmwareProps) {
  return (
    <Panel title="Firmware" actions={query.data && <Reapply what="firmware" device={device} status={query.data} />} flush>
      <QueryStates query={query} failed="Error loading the firmware">
        {(status) => (
          <>
            <DeviceStanding what="firmware" device={device} status={status} />
            <Sides
              names={['Firmware desired', 'Firmware reported']}
              desired={status.desired && <Desired what="Firmware" name={status.desired.firmware} publication={status.desired} />}
              reported={
                status.reported ? (
                  <DefinitionList
                    left
                    items={[
                      ['Firmware', <Name>{status.reported}</Name>],
                      ['Checked in', formatMinute(device.lastSeen)],
                    ]}
                  />
                ) : (
                  <p>The reader reports no firmware.</p>
                )
              }
            />
          </>
        )}
      </QueryStates>
    </Panel>
  )
}

interface SidesProps {
  /** Names for screen readers. */
  names: readonly [desired: string, reported: string]
  desired: ReactNode
  reported: ReactNode
}

function Sides({ names, desired, reported }: SidesProps) {
  return (
    <div className="device-sides">
      <section className="device-side" aria-label={names[0]}>
        <h3>Desired by its zone</h3>
        {desired ?? <p>Nothing is published for this model.</p>}
      </section>
      <section className="device-side" aria-label={names[1]}>
        <h3>Reported by the reader</h3>
        {reported}
      </section>
    </div>
  )
}

interface Publication {
  contentHash: string
  revision: number
  publishedAt: string
  publishedBy?: string | undefined
  updateTime: string
  atOnce: boolean
  rollout: string
}

function Desired({ what, name, publication }: { what: string; name: string; publication: Publication }) {
  const { contentHash, revision, publishedAt, publishedBy, updateTime, atOnce, rollout } = publication
  return (
    <DefinitionList
      left
      items={[
        [what, <Name>{name}</Name>],
        ...hashItem(contentHash),
        ['Revision', <Link to={paths.rollout({ id: rollout })}>{revision}, its rollout</Link>],
        [
          'Published',
          <>
            {formatMinute(publishedAt)}
            {publishedBy && (
              <>
                {' '}
                by <span className="wrap-anywhere">{publishedBy}</span>
              </>
            )}
          </>,
        ],
        ['Update time', atOnce ? 'At once' : `${updateTime} on the host PC's clock`],
      ]}
    />
  )
}

const Name = ({ children }: { children: string }) => <b className="wrap-anywhere">{children}</b>
const hashItem = (hash: string | undefined): [string, ReactNode][] =>
  hash === undefined ? [] : [['SHA-256', <span className="mono wrap-anywhere">{hash}</span>]]

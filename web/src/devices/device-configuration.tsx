import type { DeviceConfiguration as Configuration } from '@lectern/contract/configuration.ts'
import type { Device } from '@lectern/contract/devices.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { minuteOf } from '../lib/calendar-day.ts'
import { q } from '../lib/query.ts'
import { Button } from '../ui/button.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { ErrorPanel } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { DeviceStanding } from './device-standing.tsx'
import { ReapplyConfiguration } from './reapply-configuration.tsx'
import { refreshEvery } from './refresh.ts'

/** What a reader's zone wants it to run beside what it says it runs, and how the two stand. */
export function DeviceConfiguration({ device }: { device: Device }) {
  const params = { organizationId: useOrganization(), serialNumber: device.serialNumber }
  const { data, isError, isFetching, refetch } = useQuery({
    ...q('getDeviceConfiguration', { params }),
    // Somebody has just pressed the button and waits to see it done.
    refetchInterval: ({ state: { data: shown } }) =>
      shown?.reapplication && !shown.reapplication.result ? refreshEvery / 10 : refreshEvery,
  })

  if (!data)
    return (
      <Panel title="Configuration" flush>
        {isError ? (
          <ErrorPanel message="Error loading the configuration" onRetry={refetch} retrying={isFetching} />
        ) : (
          <p role="status" className="p-4 text-ink-2">
            Loading...
          </p>
        )}
      </Panel>
    )
  return (
    <Panel title="Configuration" actions={<ReapplyConfiguration device={device} configuration={data} />} flush>
      {isError && (
        <Notice kind="bad" className="m-4">
          <b>Error loading the configuration.</b> Shown is what was loaded last.{' '}
          <Button variant="link" busy={isFetching} onClick={() => refetch()}>
            Try Again
          </Button>
        </Notice>
      )}
      <DeviceStanding device={device} configuration={data} />
      <div className="device-sides">
        <Side title="Desired by its zone">
          {data.desired ? <Desired {...data.desired} /> : <p>Nothing is published for this model.</p>}
        </Side>
        <Side title="Reported by the reader">
          {data.reported ? (
            <DefinitionList
              left
              items={[['Configuration', name(data.reported.configuration)], ...hash(data.reported.contentHash), seen(device)]}
            />
          ) : (
            <p>The reader reports no configuration, as after a factory reset.</p>
          )}
        </Side>
      </div>
    </Panel>
  )
}

type Term = [term: string, value: ReactNode]

const name = (label: string) => <b className="wrap-anywhere">{label}</b>
const hash = (contentHash: string | undefined): Term[] =>
  contentHash === undefined ? [] : [['SHA-256', <span className="mono wrap-anywhere">{contentHash}</span>]]
const seen = ({ lastSeen }: Device): Term => ['Checked in', minuteOf(lastSeen)]

function Desired({ configuration, contentHash, revision, publishedAt, publishedBy, updateTime }: NonNullable<Configuration['desired']>) {
  const by = publishedBy && (
    <>
      {' '}
      by <span className="wrap-anywhere">{publishedBy}</span>
    </>
  )
  return (
    <DefinitionList
      left
      items={[
        ['Configuration', name(configuration)],
        ...hash(contentHash),
        ['Revision', String(revision)],
        [
          'Published',
          <>
            {minuteOf(publishedAt)}
            {by}
          </>,
        ],
        ['Update time', `${updateTime} on the host PC's clock`],
      ]}
    />
  )
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="device-side" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

import type { Device } from '@lectern/contract/devices/devices.ts'
import type { ReactNode } from 'react'
import { formatCalendarDay, formatMinute } from '../lib/format.ts'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { Battery, ReadingStatus } from './device-readings.tsx'
import { lastSeenReading, warrantyReading } from './thresholds.ts'

const orNotSet = (value: string | undefined) => value || <span className="text-ink-3">Not set</span>

/** What a reader is and where. */
export function DeviceIdentity({ device }: { device: Device }) {
  const items: [string, ReactNode][] = [
    ['Model', device.deviceType],
    ['Serial number', <bdi className="mono wrap-anywhere">{device.serialNumber}</bdi>],
    ['Zone', <span className="wrap-anywhere">{orNotSet(device.zone)}</span>],
    ['Host PC', <span className="mono wrap-anywhere">{orNotSet(device.host)}</span>],
    ['Warranty until', device.warrantyRemaining ? formatCalendarDay(device.warrantyRemaining) : orNotSet(undefined)],
  ]
  return (
    <Panel title="Identity">
      <DefinitionList left items={items} />
    </Panel>
  )
}

/** How a reader was when its host PC last checked in. */
export function DeviceState({ device }: { device: Device }) {
  const now = new Date()
  const items: [string, ReactNode][] = [
    ['Last Seen', <Instant of={device.lastSeen} />],
    ['Days since', <ReadingStatus reading={lastSeenReading(device.lastSeen, now)} />],
    ['Battery Health', <Battery percent={device.batteryHealth} />],
    ['Firmware', <span className="mono">{orNotSet(device.currentFirmware)}</span>],
    ['Warranty (months)', <ReadingStatus reading={warrantyReading(device.warrantyRemaining, now)} />],
    ['Last Updated', <Instant of={device.lastUpdatedDate} />],
  ]
  return (
    <Panel title="State">
      <DefinitionList left items={items} />
    </Panel>
  )
}

const Instant = ({ of }: { of: string }) => <time dateTime={of}>{formatMinute(of)}</time>

import './graphs.css'
import type { BubbleMapPoint, LabelledChart, LicenceCounts } from '@lectern/contract/graphs.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { Scale } from '../ui/scale.tsx'
import { BarChart } from './bar-chart.tsx'
import { GraphCard } from './graph-card.tsx'
import { LocationMap } from './location-map.tsx'
import { TimeChart } from './time-chart.tsx'

interface GraphProps {
  /** Null for all organizations. */
  organizationId: string | null
}

const noDevices = 'No device has reported in the last 365 days.'

export function Graphs({ organizationId }: GraphProps) {
  return (
    <div className="graphs">
      <div className="graphs-stack">
        <ByTime organizationId={organizationId} />
        <ByLocation organizationId={organizationId} />
      </div>
      <div className="graphs-stack">
        <Licences organizationId={organizationId} />
        <Models organizationId={organizationId} />
        <ByOs organizationId={organizationId} />
      </div>
    </div>
  )
}

function ByTime({ organizationId }: GraphProps) {
  const read = organizationId === null ? q('getGlobalDevicesByTime', {}) : q('getDevicesByTime', { params: { organizationId } })
  return (
    <GraphCard
      title="Unique devices by time"
      subject="Devices per day, the last 365 days"
      query={useQuery(read)}
      isEmpty={({ datasets }) => datasets.every(({ data }) => data.every(({ y }) => y === 0))}
      empty={noDevices}
      height={19.4}
      chart={({ datasets }) => <TimeChart label="Line of devices per day" points={datasets[0]?.data ?? []} />}
      heads={['Day (UTC)', 'Devices']}
      rows={({ datasets }) => (datasets[0]?.data ?? []).map(({ x, y }) => [x, y]).reverse()}
    />
  )
}

function ByLocation({ organizationId }: GraphProps) {
  const read = organizationId === null ? q('getGlobalDevicesByLocation', {}) : q('getDevicesByLocation', { params: { organizationId } })
  return (
    <GraphCard
      title="Unique devices by location"
      subject="Devices by the city of their latest report within 365 days; at most the 400 largest cities"
      query={useQuery(read)}
      isEmpty={(points) => points.length === 0}
      empty="No device has reported its location in the last 365 days."
      chart={(points) => <Places points={points} />}
      heads={['City', 'Devices', 'Latitude (°)', 'Longitude (°)']}
      rows={(points) => points.map(({ city, value, latitude, longitude }) => [city, value, latitude.toFixed(2), longitude.toFixed(2)])}
    />
  )
}

const listedCities = 7
const cityHeight = 36

function Places({ points }: { points: readonly BubbleMapPoint[] }) {
  const bars = { labels: points.map(({ city }) => city), datasets: [{ label: 'Devices', data: points.map(({ value }) => value) }] }
  return (
    <div className="graph-places">
      <LocationMap label="Map with a bubble for each city" points={points} />
      <div>
        <p className="graph-list-head" aria-hidden="true">
          <span>City</span>
          <span>Devices</span>
        </p>
        <BarChart label="Bars of the largest cities" chart={bars} most={listedCities} rowHeight={cityHeight} />
      </div>
    </div>
  )
}

function Licences({ organizationId }: GraphProps) {
  const read = organizationId === null ? q('getGlobalLicenceCounts', {}) : q('getLicenceCounts', { params: { organizationId } })
  return (
    <GraphCard
      title="Licence counts"
      subject="Licensed serial numbers, and those whose decoder was used within 365 days"
      query={useQuery(read)}
      isEmpty={({ total }) => total === 0}
      empty="No licence names a serial number."
      chart={(counts) => <LicenceGauge counts={counts} />}
      heads={['Licences', 'Serial numbers']}
      rows={({ total, usingDecode }) => [
        ['Total', total],
        ['Using Decode', usingDecode],
      ]}
    />
  )
}

function LicenceGauge({ counts: { total, usingDecode } }: { counts: LicenceCounts }) {
  return (
    <>
      <p className="licence-count">
        <b>{formatNumber(usingDecode)}</b> of {formatNumber(total)} licences using Decode
      </p>
      <div className="licence-gauge" role="img" aria-label={`${formatNumber(usingDecode)} of ${formatNumber(total)}`}>
        <span style={{ width: `${(usingDecode / total) * 100}%` }} />
      </div>
      <Scale total={total} />
    </>
  )
}

const labelledRows = ({ labels, datasets }: LabelledChart) => labels.map((label, index) => [label, datasets[0]?.data[index] ?? 0])

function Models({ organizationId }: GraphProps) {
  const read = organizationId === null ? q('getGlobalDeviceModels', {}) : q('getDeviceModels', { params: { organizationId } })
  return (
    <GraphCard
      title="Most frequent device models"
      subject="Devices by their latest report within 365 days"
      query={useQuery(read)}
      isEmpty={({ labels }) => labels.length === 0}
      empty={noDevices}
      height={20.8}
      chart={(chart) => <BarChart label="Bars of the most frequent models" chart={chart} />}
      heads={['Model', 'Devices']}
      rows={labelledRows}
    />
  )
}

function ByOs({ organizationId }: GraphProps) {
  const read = organizationId === null ? q('getGlobalDevicesByOs', {}) : q('getDevicesByOs', { params: { organizationId } })
  return (
    <GraphCard
      title="Total devices by OS"
      subject="Devices that report their OS, by their latest report within 365 days"
      query={useQuery(read)}
      isEmpty={({ labels }) => labels.length === 0}
      empty="No device has reported its OS in the last 365 days."
      chart={(chart) => <BarChart label="Bars of operating systems" chart={chart} />}
      heads={['OS', 'Devices']}
      rows={labelledRows}
    />
  )
}

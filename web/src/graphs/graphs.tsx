import './graphs.css'
import type { LabelledChart } from '@lectern/contract/graphs.ts'
import { useQuery } from '@tanstack/react-query'
import { BarChart } from './bar-chart.tsx'
import { GraphCard } from './graph-card.tsx'
import { graphQueries } from './graph-queries.ts'
import { LicenceGauge } from './licence-gauge.tsx'
import { Places } from './places.tsx'
import { TimeChart } from './time-chart.tsx'

const labelledRows = ({ labels, datasets }: LabelledChart) => labels.map((label, index) => [label, datasets[0]?.data[index] ?? 0])
const nobody = 'No device has reported in the last 365 days.'

/** The five graphs (spec §2) of an organization, or, without one, of all organizations; each may fail on its own. */
export function Graphs({ organizationId }: { organizationId: string | null }) {
  const queries = graphQueries(organizationId)
  const byTime = useQuery(queries.byTime)
  const models = useQuery(queries.models)
  const byOs = useQuery(queries.byOs)
  const byLocation = useQuery(queries.byLocation)
  const licences = useQuery(queries.licences)
  return (
    <div className="graphs">
      <div className="graphs-stack">
        <GraphCard
          title="Unique devices by time"
          subject="Devices a day, the last 365 days"
          answer={byTime}
          isEmpty={({ datasets }) => datasets.every(({ data }) => data.every(({ y }) => y === 0))}
          empty={nobody}
          chart={({ datasets }) => <TimeChart label="Line of devices a day" points={datasets[0]?.data ?? []} />}
          heads={['Day (UTC)', 'Devices']}
          rows={({ datasets }) => (datasets[0]?.data ?? []).map(({ x, y }) => [x, y]).reverse()}
        />
        <GraphCard
          title="Unique devices by location"
          subject="Devices by the city of their latest report within 365 days; at most the 400 largest cities"
          answer={byLocation}
          isEmpty={(points) => points.length === 0}
          empty="No device has said where it is in the last 365 days."
          chart={(points) => <Places points={points} />}
          heads={['City', 'Devices', 'Latitude (°)', 'Longitude (°)']}
          rows={(points) => points.map(({ city, value, latitude, longitude }) => [city, value, latitude.toFixed(2), longitude.toFixed(2)])}
        />
      </div>
      <div className="graphs-stack">
        <GraphCard
          title="Licence counts"
          subject="Licensed serial numbers, and those whose decoder was used within 365 days"
          answer={licences}
          isEmpty={({ total }) => total === 0}
          empty="No licence names a serial number."
          chart={(counts) => <LicenceGauge counts={counts} />}
          heads={['Licences', 'Serial numbers']}
          rows={({ total, usingDecode }) => [
            ['Total', total],
            ['Using Decode', usingDecode],
          ]}
        />
        <GraphCard
          title="Most frequent device models"
          subject="Devices by their latest report within 365 days"
          answer={models}
          isEmpty={({ labels }) => labels.length === 0}
          empty={nobody}
          chart={(chart) => <BarChart label="Bars of the most frequent models" chart={chart} />}
          heads={['Model', 'Devices']}
          rows={labelledRows}
        />
        <GraphCard
          title="Total devices by OS"
          subject="Devices that say which, by their latest report within 365 days"
          answer={byOs}
          isEmpty={({ labels }) => labels.length === 0}
          empty="No device has said which OS it runs in the last 365 days."
          chart={(chart) => <BarChart label="Bars of operating systems" chart={chart} />}
          heads={['OS', 'Devices']}
          rows={labelledRows}
        />
      </div>
    </div>
  )
}

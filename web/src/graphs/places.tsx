import type { BubbleMapPoint } from '@lectern/contract/graphs.ts'
import { BarChart } from './bar-chart.tsx'
import { LocationMap } from './location-map.tsx'

/** Most cities in the list beside the map. */
const listed = 7
const rowHeight = 36

/** Devices by city: on a map, and the largest cities as bars beside it. */
export function Places({ points }: { points: readonly BubbleMapPoint[] }) {
  const bars = { labels: points.map(({ city }) => city), datasets: [{ label: 'Devices', data: points.map(({ value }) => value) }] }
  return (
    <div className="graph-places">
      <LocationMap label="Map with a bubble for each city" points={points} />
      <div>
        <p className="graph-list-head" aria-hidden="true">
          <span>City</span>
          <span>Devices</span>
        </p>
        <BarChart label="Bars of the largest cities" chart={bars} most={listed} rowHeight={rowHeight} />
      </div>
    </div>
  )
}

import type { BubbleMapPoint } from '@lectern/contract/graphs.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import type { Chart, Plugin } from 'chart.js'
import { geoEquirectangular, type ProjectionScale, topojson } from 'chartjs-chart-geo'
import { Chart as ReactChart } from 'react-chartjs-2'
import atlas from 'world-atlas/countries-110m.json'
import type { Colour } from '../ui/theme-colours.ts'
import { family, small, tooltip, useDrawing } from './drawing.ts'
import { fitMap } from './map-view.ts'

type Topology = Parameters<typeof topojson.feature>[0]
type Object = Parameters<typeof topojson.feature>[1]
const world = atlas as unknown as Topology
const land = topojson.feature(world, world.objects.land as Object)
const borders = topojson.mesh(world, world.objects.countries as Parameters<typeof topojson.mesh>[1], (a, b) => a !== b)

const mostNames = 24

const ground = (colour: Colour): Plugin<'bubbleMap'> => ({
  id: 'ground',
  beforeDatasetsDraw({ ctx, scales, chartArea: { left, top, width, height } }: Chart) {
    const path = (scales.projection as unknown as ProjectionScale).geoPath.context(ctx)
    ctx.save()
    ctx.beginPath()
    ctx.rect(left, top, width, height)
    ctx.clip()
    ctx.beginPath()
    path(land)
    ctx.fillStyle = colour('surface')
    ctx.fill()
    ctx.strokeStyle = colour('rule-2')
    ctx.stroke()
    ctx.beginPath()
    path(borders)
    ctx.stroke()
    ctx.restore()
  },
})

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}
const gap = 4
const isOver = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const names = (points: readonly BubbleMapPoint[], colour: Colour): Plugin<'bubbleMap'> => ({
  id: 'names',
  afterDatasetsDraw(chart: Chart<'bubbleMap'>) {
    const { ctx, chartArea } = chart
    ctx.save()
    ctx.font = `${small}px ${family}`
    ctx.textBaseline = 'middle'
    ctx.lineWidth = 3
    ctx.strokeStyle = colour('surface', 0.85)
    ctx.fillStyle = colour('ink')
    const bubbles = chart.getDatasetMeta(0).data.map(({ x, y, options }) => ({ x, y, radius: Number(options.radius) }))
    const taken = bubbles.map(({ x, y, radius }): Box => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }))
    for (const [index, { x, y, radius }] of bubbles.slice(0, mostNames).entries()) {
      const { city = '' } = points[index] ?? {}
      const width = ctx.measureText(city).width
      const place = [x + radius + gap, x - radius - gap - width]
        .map((left): Box => ({ left, right: left + width, top: y - small / 2, bottom: y + small / 2 }))
        .find((box) => box.left >= chartArea.left && box.right <= chartArea.right && taken.every((other) => !isOver(box, other)))
      if (!place) continue
      taken.push(place)
      ctx.strokeText(city, place.left, y)
      ctx.fillText(city, place.left, y)
    }
    ctx.restore()
  },
})

export function LocationMap({ label, points }: { label: string; points: readonly BubbleMapPoint[] }) {
  const { colour, options } = useDrawing()
  const { turn, corners } = fitMap(points)
  return (
    <div className="graph-map">
      <ReactChart
        type="bubbleMap"
        // The chart takes plugins only when it is made, so other colours need a new one.
        key={`${colour('accent')} ${JSON.stringify(points)}`}
        aria-label={label}
        plugins={[ground(colour), names(points, colour)]}
        data={{
          labels: points.map(({ city }) => city),
          datasets: [
            {
              data: points.map(({ latitude, longitude, value }) => ({ latitude, longitude, value })),
              outline: [{ type: 'Feature', properties: {}, geometry: { type: 'MultiPoint', coordinates: corners } }],
              showOutline: false,
              clipMap: true,
              backgroundColor: colour('accent', 0.3),
              borderColor: colour('accent'),
              borderWidth: 1,
            },
          ],
        }}
        options={{
          ...options,
          scales: {
            projection: { axis: 'x', projection: geoEquirectangular().rotate([-turn, 0]), padding: 8 },
            size: { axis: 'x', range: [3, 26], display: false, beginAtZero: true },
          },
          plugins: {
            tooltip: {
              ...tooltip(colour),
              callbacks: { label: ({ dataIndex }) => `${points[dataIndex]?.city}: ${formatNumber(points[dataIndex]?.value ?? 0)} devices` },
            },
          },
        }}
      />
    </div>
  )
}

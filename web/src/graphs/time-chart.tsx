import type { PointChart } from '@lectern/contract/graphs.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import type { ChartOptions } from 'chart.js'
import { Line } from 'react-chartjs-2'
import { formatCalendarDay, formatMonthDay } from '../lib/format.ts'
import type { Colour } from '../ui/theme-colours.ts'
import { family, small, tooltip, useDrawing } from './drawing.ts'

type Points = PointChart['datasets'][number]['data']

export function TimeChart({ label, points }: { label: string; points: Points }) {
  const { colour, options } = useDrawing()
  const isToday = points.at(-1)?.x === new Date().toISOString().slice(0, 10)
  return (
    <>
      <Legend points={points} isToday={isToday} />
      <div className="graph-time">
        <Line
          key={colour('accent')}
          aria-label={label}
          data={{
            labels: points.map(({ x }) => x),
            datasets: [
              {
                data: points.map(({ y }) => y),
                borderColor: colour('accent'),
                borderWidth: 2,
                segment: { borderDash: ({ p1DataIndex }) => (isToday && p1DataIndex === points.length - 1 ? [2, 4] : undefined) },
                pointRadius: 0,
                pointHoverRadius: 4,
                pointHoverBackgroundColor: colour('surface'),
                pointHoverBorderColor: colour('accent'),
                pointHoverBorderWidth: 2,
              },
            ],
          }}
          options={{ ...options, ...timeOptions(points, colour) }}
        />
      </div>
    </>
  )
}

function Legend({ points, isToday }: { points: Points; isToday: boolean }) {
  const [last, latest] = points.slice(-2)
  const most = points.reduce((best, point) => (point.y > best.y ? point : best))
  return (
    <p className="graph-legend">
      {last && (
        <span>
          {formatCalendarDay(last.x)} <b>{formatNumber(last.y)}</b>
        </span>
      )}
      {isToday && latest && (
        <span>
          Today so far <b>{formatNumber(latest.y)}</b>
        </span>
      )}
      <span>
        Most, on {formatCalendarDay(most.x)} <b>{formatNumber(most.y)}</b>
      </span>
    </p>
  )
}

function timeOptions(points: Points, colour: Colour): ChartOptions<'line'> {
  const ticks = { color: colour('ink-3'), font: { family, size: small } }
  return {
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: {
        grid: { display: false },
        border: { color: colour('rule-ctl') },
        ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 24, callback: (_value, index) => formatMonthDay(points[index]!.x) },
      },
      y: {
        beginAtZero: true,
        grid: { color: colour('rule') },
        border: { display: false },
        ticks: { ...ticks, precision: 0, maxTicksLimit: 6 },
      },
    },
    plugins: {
      tooltip: {
        ...tooltip(colour),
        callbacks: {
          title: ([item]) => (item ? formatCalendarDay(item.label) : ''),
          label: ({ parsed }) => `${formatNumber(parsed.y ?? 0)} devices`,
        },
      },
    },
  }
}

import type { PointChart } from '@lectern/contract/graphs.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Line } from 'react-chartjs-2'
import { family, small, tooltip, useDrawing } from './drawing.ts'

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDays = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const inDays = (format: Intl.DateTimeFormat, day: string): string => format.format(new Date(day))

/** Devices a day as a line, dashed where it leads to a day that is not over yet. */
export function TimeChart({ label, points }: { label: string; points: PointChart['datasets'][number]['data'] }) {
  const { colour, options } = useDrawing()
  const [last, latest] = points.slice(-2)
  const isToday = latest?.x === new Date().toISOString().slice(0, 10)
  const most = points.reduce((best, point) => (point.y > best.y ? point : best))
  const ticks = { color: colour('ink-3'), font: { family, size: small } }
  return (
    <>
      <p className="graph-legend">
        {last && (
          <span>
            {inDays(longDays, last.x)} <b>{formatNumber(last.y)}</b>
          </span>
        )}
        {isToday && (
          <span>
            Today so far <b>{formatNumber(latest.y)}</b>
          </span>
        )}
        <span>
          Most, on {inDays(longDays, most.x)} <b>{formatNumber(most.y)}</b>
        </span>
      </p>
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
          options={{
            ...options,
            interaction: { mode: 'index', intersect: false },
            scales: {
              x: {
                grid: { display: false },
                border: { color: colour('rule-ctl') },
                ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 24, callback: (_value, index) => inDays(days, points[index]!.x) },
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
                  title: ([item]) => (item ? inDays(longDays, item.label) : ''),
                  label: ({ parsed }) => `${formatNumber(parsed.y ?? 0)} devices`,
                },
              },
            },
          }}
        />
      </div>
    </>
  )
}

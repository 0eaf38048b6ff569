import type { LabelledChart } from '@lectern/contract/graphs.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import type { Chart, Plugin } from 'chart.js'
import { Bar } from 'react-chartjs-2'
import type { Colour } from '../ui/theme-colours.ts'
import { family, normal, tooltip, useDrawing } from './drawing.ts'

interface BarChartProps {
  label: string
  chart: LabelledChart
  /** The most bars; the table has all values. */
  most?: number
  /** In px. */
  rowHeight?: number
}

const longest = 16

const shortened = (name: string): string => (name.length > longest ? `${name.slice(0, longest - 1)}…` : name)

const numbers = (counts: readonly number[], colour: Colour): Plugin<'bar'> => ({
  id: 'numbers',
  afterDatasetsDraw(chart: Chart<'bar'>) {
    const { ctx, width } = chart
    ctx.save()
    ctx.fillStyle = colour('ink')
    ctx.font = `${normal}px ${family}`
    ctx.textAlign = 'right'
    ctx.textBaseline = 'middle'
    for (const [index, bar] of chart.getDatasetMeta(0).data.entries()) ctx.fillText(formatNumber(counts[index] ?? 0), width, bar.y)
    ctx.restore()
  },
})

export function BarChart({ label, chart: { labels, datasets }, most = 10, rowHeight = 28 }: BarChartProps) {
  const { colour, options } = useDrawing()
  const names = labels.slice(0, most)
  const counts = (datasets[0]?.data ?? []).slice(0, most)
  return (
    <>
      <div className="graph-bars" style={{ height: names.length * rowHeight }}>
        <Bar
          // The chart takes plugins only when it is made, so other colours need a new one.
          key={`${colour('accent')} ${counts.join(' ')}`}
          aria-label={label}
          plugins={[numbers(counts, colour)]}
          data={{ labels: names, datasets: [{ data: counts, backgroundColor: colour('accent'), barThickness: 12, minBarLength: 2 }] }}
          options={{
            ...options,
            indexAxis: 'y',
            layout: { padding: { right: 16 + 8 * formatNumber(counts[0] ?? 0).length } },
            scales: {
              x: { display: false, beginAtZero: true },
              y: {
                grid: { display: false },
                border: { display: false },
                ticks: {
                  color: colour('ink'),
                  font: { family, size: normal },
                  autoSkip: false,
                  crossAlign: 'far',
                  callback: (_value, index) => shortened(names[index]!),
                },
              },
            },
            plugins: { tooltip: { ...tooltip(colour), callbacks: { label: ({ parsed }) => `${formatNumber(parsed.x ?? 0)} devices` } } },
          }}
        />
      </div>
      {labels.length > most && (
        <p className="graph-note">
          The {most} largest of {labels.length}. The table has all.
        </p>
      )}
    </>
  )
}

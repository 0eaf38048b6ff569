import { BarController, BarElement, CategoryScale, Chart, LinearScale, LineController, LineElement, PointElement, Tooltip } from 'chart.js'
import { BubbleMapController, GeoFeature, ProjectionScale, SizeScale } from 'chartjs-chart-geo'
import { type Colour, useThemeColours } from '../ui/theme-colours.ts'

Chart.register(BarController, BarElement, CategoryScale, LinearScale, LineController, LineElement, PointElement, Tooltip)
Chart.register(BubbleMapController, GeoFeature, ProjectionScale, SizeScale)

/** The tokens `--t-11` and `--t-13` in px, as a canvas has no rem. */
export const small = 11
export const normal = 13
export const family = '"Atkinson Hyperlegible Next Variable", "Segoe UI", system-ui, sans-serif'

export function useDrawing() {
  const colour = useThemeColours()
  const options = {
    responsive: true,
    maintainAspectRatio: false,
    animation: false as const,
    color: colour('ink-2'),
    font: { family, size: normal },
  }
  return { colour, options }
}

export const tooltip = (colour: Colour) => ({
  backgroundColor: colour('graphite'),
  titleColor: colour('on-graphite'),
  bodyColor: colour('on-graphite'),
  titleFont: { family, size: normal },
  bodyFont: { family, size: normal },
  cornerRadius: 3,
  displayColors: false,
})

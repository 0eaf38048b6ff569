import type { BubbleMapPoint } from '@lectern/contract/graphs.ts'

/** The smallest part of the map, in degrees: a single city is shown within its country. */
const least = { latitude: 16, longitude: 28 }
const margin = 1.15

type Place = Pick<BubbleMapPoint, 'latitude' | 'longitude'>

// The average on a circle, so that both sides of the date line are near each other.
function computeMeanLongitude(places: readonly Place[]): number {
  const radians = places.map(({ longitude }) => (longitude * Math.PI) / 180)
  const [x, y] = [radians.reduce((sum, one) => sum + Math.cos(one), 0), radians.reduce((sum, one) => sum + Math.sin(one), 0)]
  return (Math.atan2(y, x) * 180) / Math.PI
}

const middle = (degrees: readonly number[]): number => (Math.max(...degrees) + Math.min(...degrees)) / 2
const farthest = (distances: readonly number[]): number => Math.max(0, ...distances.map(Math.abs)) * margin

/** The part of the map that shows all places, in degrees. */
export function fitMap(places: readonly Place[]): { turn: number; corners: [number, number][] } {
  const mean = computeMeanLongitude(places)
  const fromMean = places.map(({ longitude }) => ((longitude - mean + 540) % 360) - 180)
  const turn = mean + middle(fromMean)
  const latitudes = places.map(({ latitude }) => latitude)
  const centre = middle(latitudes)
  const high = Math.max(least.latitude / 2, farthest(latitudes.map((latitude) => latitude - centre)))
  const east = fromMean.map((degrees) => degrees - middle(fromMean))
  const wide = Math.min(179.9, Math.max(least.longitude / 2, farthest(east)))
  const [north, south] = [Math.min(90, centre + high), Math.max(-90, centre - high)]
  return {
    turn,
    corners: [
      [turn - wide, south],
      [turn + wide, south],
      [turn - wide, north],
      [turn + wide, north],
    ],
  }
}

import type { BubbleMapPoint } from '@lectern/contract/graphs.ts'

/** The least that a map shows, in degrees, so that one city is seen in its country. */
const least = { latitude: 16, longitude: 28 }
/** Room around the outermost cities. */
const margin = 1.15

type Place = Pick<BubbleMapPoint, 'latitude' | 'longitude'>

/** The middle of the places on the circle, so that both sides of the date line are neighbours. */
function middleLongitude(places: readonly Place[]): number {
  const radians = places.map(({ longitude }) => (longitude * Math.PI) / 180)
  const [x, y] = [radians.reduce((sum, one) => sum + Math.cos(one), 0), radians.reduce((sum, one) => sum + Math.sin(one), 0)]
  return (Math.atan2(y, x) * 180) / Math.PI
}

const farthest = (distances: readonly number[]): number => Math.max(0, ...distances.map(Math.abs)) * margin

/** Which part of the world shows all places: how far it is turned, and its corners. */
export function mapView(places: readonly Place[]): { turn: number; corners: [number, number][] } {
  const turn = middleLongitude(places)
  const latitudes = places.map(({ latitude }) => latitude)
  const middle = (Math.max(...latitudes) + Math.min(...latitudes)) / 2
  const high = Math.max(least.latitude / 2, farthest(latitudes.map((latitude) => latitude - middle)))
  const east = places.map(({ longitude }) => ((longitude - turn + 540) % 360) - 180)
  const wide = Math.min(179.9, Math.max(least.longitude / 2, farthest(east)))
  const [north, south] = [Math.min(90, middle + high), Math.max(-90, middle - high)]
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

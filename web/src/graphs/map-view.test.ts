import { expect, test } from 'vitest'
import { fitMap } from './map-view.ts'

const place = (latitude: number, longitude: number) => ({ latitude, longitude })
/** Degrees from the middle of the view to its edges, and its middle. */
function fitView(...places: { latitude: number; longitude: number }[]) {
  const { turn, corners } = fitMap(places)
  const [west, east] = [Math.min(...corners.map(([x]) => x)), Math.max(...corners.map(([x]) => x))]
  const [south, north] = [Math.min(...corners.map(([, y]) => y)), Math.max(...corners.map(([, y]) => y))]
  return { turn, wide: (east - west) / 2, south, north }
}

test('[CHT-05] one city is seen in its country', () => {
  const { turn, wide, south, north } = fitView(place(45, -122))
  expect(turn).toBeCloseTo(-122)
  expect([wide, south, north]).toEqual([14, 37, 53])
})

test('[CHT-05] the map shows all cities with room around them, whichever has most of them', () => {
  const { turn, wide, south, north } = fitView(place(40, -120), place(41, -119), place(42, -118), place(30, -80))
  expect(turn).toBeCloseTo(-100)
  expect(wide).toBeCloseTo(23)
  expect(south).toBeLessThan(30)
  expect(north).toBeGreaterThan(42)
})

test('[CHT-05] cities on both sides of the date line are neighbours', () => {
  const { turn, wide } = fitView(place(-17, 179), place(-14, -171))
  expect(Math.abs(turn)).toBeCloseTo(176)
  expect(wide).toBe(14)
})

test('[CHT-05] the map ends at the poles and shows the world once', () => {
  const { wide, south, north } = fitView(place(90, 0), place(-90, 100), place(0, -130), place(0, 170))
  expect([south, north]).toEqual([-90, 90])
  expect(wide).toBeLessThan(180)
})

import { updateModels } from '@lectern/contract/devices/device-models.ts'
import { ReportedDevice } from '@lectern/contract/hosts.ts'
import { expect, test } from 'vitest'
import { batteryAt, createFleet, largestFleet, toReport } from './fleet.ts'

test('the same seed makes the same fleet, a larger one begins with it, another seed shares no serial number', () => {
  expect(createFleet(7, 200)).toEqual(createFleet(7, 200))
  expect(createFleet(7, 300).slice(0, 200)).toEqual(createFleet(7, 200))
  const serials = [1, 2, 7, 99].flatMap((seed) => createFleet(seed, 2000).map(({ serialNumber }) => serialNumber))
  expect(new Set(serials).size).toBe(8000)
})

test('the largest fleet has no serial number twice', () => {
  const fleet = createFleet(5, largestFleet)
  expect(new Set(fleet.map(({ serialNumber }) => serialNumber)).size).toBe(largestFleet)
})

test('the smallest fleet has every model, and each reader is one the protocol takes', () => {
  const fleet = createFleet(1, 40, 0.5)
  expect(new Set(fleet.slice(0, 7).map(({ deviceType }) => deviceType))).toEqual(new Set(updateModels))
  for (const reader of fleet) ReportedDevice.parse(toReport(reader, reader, new Date()))
  expect(fleet.filter(({ serialNumber }) => /^(27P|15M|A2Z|11C|52F)\d{7}$|^V(13D|45B)\d{6}$/.test(serialNumber))).toHaveLength(40)
  expect(fleet.filter(({ refuses }) => refuses).length).toBeGreaterThan(5)
})

test('batteries wear over the years, and corded readers have none', () => {
  const fleet = createFleet(1, 100)
  const at = (year: number) => fleet.map((reader) => batteryAt(reader, new Date(Date.UTC(year, 5, 1))))
  const [now, later] = [at(2026), at(2029)]
  for (const [index, { deviceType }] of fleet.entries()) {
    const isCorded = ['CR1100', 'CR1500', 'CR5200'].includes(deviceType)
    expect(now[index] === null).toBe(isCorded)
    if (!isCorded) expect(later[index]!).toBeLessThanOrEqual(now[index]!)
  }
})

import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { insertLicences } from './sql.ts'
import { type City, insertDecodeUse, insertReportedDevices, selectMobileSerials } from './usage-sql.ts'

const day = 24 * 3_600_000

interface Fleet {
  organizationId: string
  prefix: string
  mobileDevices: number
  cities: readonly City[]
}

export const northfieldCities: readonly City[] = [
  ['Portland', 45.52, -122.68, 30],
  ['Spokane', 47.66, -117.43, 15],
  ['Boise', 43.62, -116.2, 13],
  ['Seattle', 47.61, -122.33, 12],
  ['Sacramento', 38.58, -121.49, 9],
  ['Salt Lake City', 40.76, -111.89, 7],
  ['Eugene', 44.05, -123.09, 5],
  ['Reno', 39.53, -119.81, 4],
  ['Missoula', 46.87, -113.99, 2],
  ['Bend', 44.06, -121.32, 2],
  ['Denver', 39.74, -104.99, 1],
]
export const harborlineCities: readonly City[] = [
  ['Houston', 29.76, -95.37, 6],
  ['Savannah', 32.08, -81.09, 4],
  ['Long Beach', 33.77, -118.19, 3],
  ['Newark', 40.74, -74.17, 2],
  ['Tacoma', 47.25, -122.44, 1],
]
const mobileModels = [
  ['TC58', 'Android 14'],
  ['TC58', 'Android 14'],
  ['iPhone 15', 'iOS 18'],
  ['TC26', 'Android 13'],
  ['iPhone 15', 'iOS 18'],
  ['XCover7', 'Android 15'],
  ['iPhone SE', 'iOS 17'],
  ['Pixel 8', 'Android 15'],
] as const

export async function seedUsage(db: Database, { organizationId, prefix, mobileDevices, cities }: Fleet, now: Date): Promise<void> {
  const places = cities.flatMap((city) => Array<City>(city[3]).fill(city))
  await insertReportedDevices(db, { organizationId, prefix, amount: mobileDevices, places, models: mobileModels })
  const licences = (await selectMobileSerials(db, organizationId)).map((serials, number) => ({
    id: uuidv7(),
    organization_id: organizationId,
    licence_number: `LEC-DEMO-${prefix}-DECODE-${number + 1}`,
    type_id: 2,
    purchase_order_number: `PO-${2026_0118 + number * 9}`,
    serial_numbers: serials,
    created_at: new Date(now.getTime() - (300 - number * 40) * day),
  }))
  await insertLicences(db, licences)
  await insertDecodeUse(db, organizationId)
}

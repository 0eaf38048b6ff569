import { simulatedDriver } from '@lectern/contract/hosts.ts'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { newLicenceNumber } from '../licences/licences.ts'
import { findOrganization } from '../organizations/organizations.ts'
import { demoLicence, harborline, harborlineLicence, northfield } from './accounts.ts'
import { seedCases } from './cases.ts'
import { createDevice, createRandom } from './fleet.ts'
import { insertDevices, insertHost, insertLicences, insertReaders, insertZone, selectAnyZone } from './sql.ts'
import { type City, insertDecodeUse, insertReportedDevices, selectMobileSerials } from './usage-sql.ts'

const day = 24 * 3_600_000

export const liveZones = ['ICU 3 North', 'Pharmacy Main', 'Receiving Dock']
const northfieldZones: Record<string, number> = {
  'ED Triage': 412,
  'ICU 2 Neuro': 396,
  'ICU 3 South': 472,
  'Lab Accessioning': 338,
  'Med-Surg 5 East': 640,
  'OR Suite B': 352,
  'Outpatient Intake': 545,
  Radiology: 291,
  'Sterile Processing': 634,
}
const harborlineZones: Record<string, number> = { 'Cross Dock 1': 140, 'Cold Store': 60 }
export const demoZones = [...liveZones, ...Object.keys(northfieldZones), ...Object.keys(harborlineZones)]

const northfieldCities: readonly City[] = [
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
const harborlineCities: readonly City[] = [
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

export const makeHostName = (prefix: string, zone: string): string =>
  `${prefix}-${zone
    .replace(/[^A-Z0-9]/gi, '')
    .slice(0, 5)
    .toUpperCase()}-01`

interface Fleet {
  organizationId: number
  hostPrefix: string
  licenceNumber: string
  zones: Record<string, number>
}

/** Returns false, and does nothing, where the database has a zone. */
export async function seedDemo(db: Database, now = new Date()): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    if (await selectAnyZone(transaction)) return false
    const random = createRandom(20_260_102)
    const { id: northfieldId } = (await findOrganization(transaction, northfield))!
    const { id: harborlineId } = (await findOrganization(transaction, harborline))!
    const ofNorthfield = { organizationId: northfieldId, hostPrefix: 'NRH', licenceNumber: demoLicence, zones: northfieldZones }
    await seedZones(transaction, ofNorthfield, random, now)
    for (const name of liveZones) await insertZone(transaction, { public_id: uuidv7(), organization_id: northfieldId, name })
    const ofHarborline = {
      organizationId: harborlineId,
      hostPrefix: 'HBL',
      licenceNumber: harborlineLicence,
      zones: harborlineZones,
    }
    await seedZones(transaction, ofHarborline, random, now)
    await seedUsage(transaction, { organizationId: northfieldId, prefix: 'NRH', mobileDevices: 640, cities: northfieldCities }, now)
    await seedUsage(transaction, { organizationId: harborlineId, prefix: 'HBL', mobileDevices: 90, cities: harborlineCities }, now)
    await seedCases(transaction, now)
    return true
  })
}

async function seedZones(db: Database, fleet: Fleet, random: () => number, now: Date): Promise<void> {
  const { organizationId } = fleet
  const licence = { id: uuidv7(), organization_id: organizationId, licence_number: fleet.licenceNumber }
  await insertLicences(db, [licence])
  const serials: string[] = []
  let number = 0
  for (const [name, count] of Object.entries(fleet.zones)) {
    const zone = await insertZone(db, { public_id: uuidv7(), organization_id: organizationId, name })
    const host = await insertHost(db, {
      public_id: uuidv7(),
      organization_id: organizationId,
      zone_id: zone.id,
      licence_id: licence.id,
      name: makeHostName(fleet.hostPrefix, name),
      time_zone: 'America/Chicago',
      agent_version: '0.1.0',
      driver: simulatedDriver,
      last_seen_at: now,
    })
    const devices = Array.from({ length: count }, () =>
      createDevice(random, number++, { organizationId, zone: { id: zone.id, name }, hostId: host.id }, now),
    )
    serials.push(...devices.slice(0, 60).map(({ device }) => device.serial_number))
    await insertDevices(db, organizationId, devices)
  }
  await seedLicences(db, organizationId, serials, now)
  await seedReaders(db, organizationId, serials, now)
}

const licenceTypes = { companionApp: 1, decodeSdk: 2, evaluation: 3 }

async function seedLicences(db: Database, organizationId: number, serials: readonly string[], now: Date): Promise<void> {
  const licences = Array.from({ length: 13 }, (_, number) => {
    const type = number % 4 === 1 ? licenceTypes.decodeSdk : number % 6 === 5 ? licenceTypes.evaluation : licenceTypes.companionApp
    const from = number * 4
    return {
      id: uuidv7(),
      organization_id: organizationId,
      licence_number: newLicenceNumber(),
      type_id: type,
      serial_numbers: serials.slice(from, from + 1 + (number % 4)),
      purchase_order_number: type === licenceTypes.decodeSdk || number % 3 === 0 ? `PO-${2026_0100 + number * 7}` : null,
      created_at: new Date(now.getTime() - (3 + number * 19) * day),
    }
  })
  await insertLicences(db, licences)
}

async function seedReaders(db: Database, organizationId: number, serials: readonly string[], now: Date): Promise<void> {
  const reported = serials.slice(0, 32).map((serial_number, number) => ({
    serial_number,
    code_master_id: number % 3 === 0 ? `CM-${1_200 + number * 11}` : null,
  }))
  const silent = ['27P0588210', '27P0588214', 'V4500-SPARE-1', 'V4500-SPARE-2'].map((serial_number, number) => ({
    serial_number,
    is_lost: number % 2 === 1,
    last_activity_at: number < 2 ? new Date(now.getTime() - (40 + number * 90) * day) : null,
  }))
  await insertReaders(
    db,
    [...reported, ...silent].map((reader) => ({ organization_id: organizationId, ...reader })),
  )
}

interface Usage {
  organizationId: number
  prefix: string
  mobileDevices: number
  cities: readonly City[]
}

async function seedUsage(db: Database, { organizationId, prefix, mobileDevices, cities }: Usage, now: Date): Promise<void> {
  const places = cities.flatMap((city) => Array<City>(city[3]).fill(city))
  await insertReportedDevices(db, { organizationId, prefix, amount: mobileDevices, places, models: mobileModels })
  const licences = (await selectMobileSerials(db, organizationId)).map((serials, number) => ({
    id: uuidv7(),
    organization_id: organizationId,
    licence_number: `LEC-DEMO-${prefix}-DECODE-${number + 1}`,
    type_id: licenceTypes.decodeSdk,
    purchase_order_number: `PO-${2026_0118 + number * 9}`,
    serial_numbers: serials,
    created_at: new Date(now.getTime() - (300 - number * 40) * day),
  }))
  await insertLicences(db, licences)
  await insertDecodeUse(db, organizationId)
}

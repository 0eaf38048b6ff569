import { randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { demoLicence, harborline, northfield } from './accounts.ts'
import { seedCases } from './cases.ts'
import { plausibleReader, randomFrom } from './fleet.ts'
import { seedLicences } from './licences.ts'
import { seedReaders } from './readers.ts'
import { harborlineCities, northfieldCities, seedUsage } from './usage.ts'

/** Zones that `npm start` keeps alive with simulated readers, and those with a past only; readers a zone. */
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

/** A host PC's name, such as NRH-ICU3N-01. */
export const makeHostName = (prefix: string, zone: string): string =>
  `${prefix}-${zone
    .replace(/[^A-Z0-9]/gi, '')
    .slice(0, 5)
    .toUpperCase()}-01`

/** Fills an empty database with the demo's zones, licences, readers and support cases. A database that has a zone stays as it is. Answers whether it seeded. */
export async function seedDemo(db: Database, now = new Date()): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const any = await transaction.selectFrom('zone').select('id').limit(1).executeTakeFirst()
    if (any) return false
    const random = randomFrom(20_260_102)
    await seedZones(transaction, northfield, 'NRH', demoLicence, northfieldZones, random, now)
    for (const name of liveZones) await transaction.insertInto('zone').values({ id: uuidv7(), organization_id: northfield, name }).execute()
    await seedZones(transaction, harborline, 'HBL', 'LEC-DEMO-HARBORLINE', harborlineZones, random, now)
    await seedUsage(transaction, { organizationId: northfield, prefix: 'NRH', mobileDevices: 640, cities: northfieldCities })
    await seedUsage(transaction, { organizationId: harborline, prefix: 'HBL', mobileDevices: 90, cities: harborlineCities })
    await seedCases(transaction, now)
    return true
  })
}

async function seedZones(
  db: Database,
  organizationId: string,
  hostPrefix: string,
  licenseNumber: string,
  zones: Record<string, number>,
  random: () => number,
  now: Date,
): Promise<void> {
  const license = { id: uuidv7(), organization_id: organizationId, licence_number: licenseNumber }
  await db.insertInto('licence').values(license).execute()
  const serials: string[] = []
  let number = 0
  for (const [name, count] of Object.entries(zones)) {
    const zone = { id: uuidv7(), organization_id: organizationId, name }
    await db.insertInto('zone').values(zone).execute()
    const host = {
      id: uuidv7(),
      organization_id: organizationId,
      zone_id: zone.id,
      licence_id: license.id,
      name: makeHostName(hostPrefix, name),
      time_zone: 'America/Chicago',
      agent_version: '0.1.0',
      // A credential nobody has: these hosts have a past only.
      credential_hash: randomBytes(32).toString('hex'),
      last_seen_at: now,
    }
    await db.insertInto('host').values(host).execute()
    const readers = Array.from({ length: count }, () => plausibleReader(random, number++, { organizationId, zone, host }, now))
    serials.push(...readers.slice(0, 60).map(({ device }) => device.serial_number))
    await db
      .insertInto('device')
      .values(readers.map(({ device }) => device))
      .execute()
    await db
      .insertInto('device_state')
      .values(readers.map(({ state }) => state))
      .execute()
  }
  await seedLicences(db, organizationId, serials, now)
  await seedReaders(db, organizationId, serials, now)
}

import { createHash, randomUUID } from 'node:crypto'
import type { ReportedDevice } from '@lectern/contract/hosts.ts'
import type pg from 'pg'
import type { Caller } from './calls.ts'
import { Ledger } from './ledger.ts'
import { Random } from './random.ts'
import { uploadReleases } from './releases.ts'
import type { Stand } from './stand.ts'

export const models = ['CR2700', 'CR5200', 'V4500'] as const
export const versions = ['1.1', '1.2'] as const

export interface Host {
  organization: Organization
  name: string
  credential: string
  zone: string
  timeZone: string
  driver: string
  /** The digest of its last acknowledged check-in. */
  digest: string | null
  readers: Map<string, ReportedDevice>
  /** Serial numbers that changed since then. */
  changed: Set<string>
  gone: Set<string>
  /** Whether a call of it is under way, as they follow one another. */
  isBusy: boolean
}

export interface Organization {
  id: string
  token: string
  licence: string
  hosts: Host[]
  /** Zones without a host PC. */
  spare: string[]
  registered: string[]
  /** Counts names, each used once. */
  made: number
}

export interface Fleet {
  caller: Caller
  random: Random
  ledger: Ledger
  organizations: Organization[]
}

export interface FleetOptions {
  seed: number
  organizations: number
  /** Given to hosts in turn. */
  timeZones: readonly string[]
}

const permissions = ['manage:cfg', 'manage:firmware', 'access:audit_log']
const zonesEach = 4
const hostsEach = 3
const readersEach = 17

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Makes organizations by SQL, each with a manager, zones and enrolled hosts, and uploads the vendor's firmware. No host has checked in yet.
 */
export async function makeFleet(stand: Pick<Stand, 'issuer'>, client: pg.Client, caller: Caller, options: FleetOptions): Promise<Fleet> {
  const random = new Random(options.seed)
  const fleet: Fleet = { caller, random, ledger: new Ledger(), organizations: [] }
  const issuer = `${stand.issuer.domain}/`
  for (let number = 0; number < options.organizations; number++) {
    const subject = randomUUID()
    const token = await stand.issuer.token(subject, permissions)
    const organization = { id: randomUUID(), token, licence: `LEC-FLEET-${number}`, hosts: [], spare: [], registered: [], made: 0 }
    await insertOrganization(client, organization, { issuer, subject, number })
    await insertPlaces(client, fleet, organization, { ...options, number })
    fleet.organizations.push(organization)
  }
  for (const _ of await uploadReleases(stand, client, caller, { models, versions })) fleet.ledger.addEntry('', 'uploadFirmwareRelease')
  return fleet
}

interface Owner {
  issuer: string
  subject: string
  number: number
}

/** Its licence has the devices that the device log names too. */
async function insertOrganization(client: pg.Client, { id, licence }: Organization, { issuer, subject, number }: Owner): Promise<void> {
  const userId = randomUUID()
  await client.query(`insert into "user" (id, issuer, subject, email, email_verified) values ($1, $2, $3, $4, true)`, [
    ...[userId, issuer, subject, `manager-${number}@fleet.example`],
  ])
  await client.query(
    `with o as (insert into organization (public_id, name) values ($1, $3) returning id),
       g as (insert into "group" (organization_id, name) select id, 'Managers' from o returning id),
       l as (insert into licence (id, organization_id, licence_number, serial_numbers) select $4, id, $5, $6 from o returning id),
       owner as (insert into licence_owner (organization_id, licence_id, licence_number) select o.id, l.id, $5 from o, l)
     insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $2, g.id, 'manager' from o, g`,
    [id, userId, `Fleet ${number}`, randomUUID(), licence, [0, 1, 2].map((device) => `MOBILE-${device}`)],
  )
}

async function insertPlaces(
  client: pg.Client,
  { random }: Fleet,
  organization: Organization,
  { timeZones, number }: FleetOptions & { number: number },
): Promise<void> {
  for (let index = 0; index < zonesEach; index++) {
    const zone = randomUUID()
    await client.query('insert into zone (public_id, organization_id, name) select $1, id, $3 from organization where public_id = $2', [
      ...[zone, organization.id, `Ward ${index}`],
    ])
    if (index >= hostsEach) {
      organization.spare.push(zone)
      continue
    }
    const host = makeHost(organization, { zone, timeZone: timeZones[(number + index) % timeZones.length]!, isSimulated: number % 10 === 0 })
    const serials = Array.from({ length: readersEach }, (_, reader) => `R${index}-${reader}`)
    for (const serial of serials) host.readers.set(serial, makeReader(serial, random))
    organization.hosts.push(host)
    await client.query(
      `with h as (
         insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, driver)
         select $1, z.organization_id, z.id, l.id, $3, $4, '1.0.0', $5 from zone z join licence l using (organization_id) where z.public_id = $2
         returning id, organization_id)
       insert into host_credential (credential_hash, organization_id, host_id) select $6, organization_id, id from h`,
      [randomUUID(), zone, host.name, host.timeZone, host.driver, hash(host.credential)],
    )
  }
}

/** A host PC that has not checked in yet. */
export function makeHost(
  organization: Organization,
  { zone, timeZone, isSimulated }: { zone: string; timeZone: string; isSimulated: boolean },
): Host {
  organization.made += 1
  return {
    organization,
    name: `PC-${organization.made}`,
    credential: randomUUID(),
    zone,
    timeZone,
    driver: isSimulated ? 'simulated' : 'serial',
    digest: null,
    readers: new Map(),
    changed: new Set(),
    gone: new Set(),
    isBusy: false,
  }
}

const day = 86_400_000

function makeReader(serialNumber: string, random: Random): ReportedDevice {
  return {
    serialNumber,
    deviceType: random.pick(models),
    firmware: '1.0',
    configuration: null,
    batteryHealth: random.below(100),
    warrantyUntil: makeWarranty(random),
    publication: null,
    firmwarePublication: null,
  }
}

/** Some become due at the next midnight in UTC: they end three months after it. */
export function makeWarranty(random: Random): string {
  const now = new Date()
  const tomorrow = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, now.getUTCDate() + 1))
  return new Date(tomorrow.getTime() + random.pick([-200, -1, 0, 0, 0, 1, 400]) * day).toISOString().slice(0, 10)
}

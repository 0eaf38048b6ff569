import { randomUUID } from 'node:crypto'
import type { Outcome, ReportedDevice } from '@lectern/contract/hosts.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import { type Fleet, type Host, hash, makeHost, makeWarranty, type Organization } from './fleet.ts'
import { removeFor } from './people.ts'

const readerKey = (host: Host, serialNumber: string) => `${host.organization.id} ${serialNumber}`
export const hostKey = (host: Host) => `${host.organization.id} ${host.name}`

/** Reports all readers, or what changed since the last check-in; that may be nothing. */
export async function checkIn(fleet: Fleet, host: Host, isWhole: boolean): Promise<void> {
  const { caller, ledger, random } = fleet
  const since = isWhole ? null : host.digest
  const serials = since === null ? [...host.readers.keys()] : [...host.changed]
  const devices = serials.map((serial) => ({ ...host.readers.get(serial)! }))
  const digest = hash(`${random.next()}`)
  const about = { timeZone: host.timeZone, agentVersion: '1.0.0', driver: host.driver, digest, devices }
  const body = since === null ? about : { ...about, since, gone: [...host.gone] }
  const reply = await caller.call(host.credential, 'checkIn', { body })
  // The portal has the digest of a check-in whose response was lost, and the host does not. The host then sends all, as the agent does.
  if (reply.sendAll && since !== null) return checkIn(fleet, host, true)
  if (reply.sendAll || reply.accepted !== devices.length || reply.refused.length > 0)
    ledger.faults.push(`Check-in of ${hostKey(host)}, ${devices.length} readers: ${JSON.stringify(reply)}`)
  for (const device of devices) ledger.readers.set(readerKey(host, device.serialNumber), toSeen(host, device))
  // Where a host reports all its readers and has none, the portal keeps those that it knows.
  const isKept = since !== null || devices.length > 0
  if (isKept) ledger.digests.set(hostKey(host), digest)
  host.digest = isKept ? digest : null
  host.changed.clear()
  host.gone.clear()
}

const toSeen = (host: Host, { serialNumber, deviceType, firmware, configuration, batteryHealth }: ReportedDevice) => ({
  organization: host.organization.id,
  serialNumber,
  zone: host.zone,
  host: host.name,
  deviceType,
  firmware,
  configuration: configuration && configurationLabel(configuration.fileName, configuration.contentHash),
  battery: batteryHealth,
})

/** Batteries wear, warranties are extended, a barcode is scanned by hand. */
export function wear({ random }: Fleet, host: Host): void {
  for (let count = random.below(4); count > 0; count--) {
    const reader = random.pick([...host.readers.values()])
    if (!reader) return
    const kind = random.below(4)
    if (kind === 0) reader.warrantyUntil = makeWarranty(random)
    else if (kind === 1) reader.configuration = { contentHash: hash(`by hand ${random.below(5)}`), fileName: 'by-hand.js' }
    else if (kind === 2) reader.firmware = random.pick([null, '1.0', '1.1', '1.2'])
    else reader.batteryHealth = random.pick([null, random.below(100)])
    host.changed.add(reader.serialNumber)
  }
}

/** Carries readers from one host PC to another. Both check in at once, in either order. */
export async function move(fleet: Fleet, from: Host, to: Host): Promise<void> {
  const { ledger, random } = fleet
  for (const reader of random.shuffle([...from.readers.values()]).slice(0, 1 + random.below(3))) {
    const serial = reader.serialNumber
    from.readers.delete(serial)
    from.changed.delete(serial)
    from.gone.add(serial)
    // What it had was the other zone's.
    to.readers.set(serial, { ...reader, publication: null, firmwarePublication: null })
    to.changed.add(serial)
    to.gone.delete(serial)
    ledger.addMove(to.organization.id, serial)
  }
  await Promise.all(random.shuffle([from, to]).map((host) => checkIn(fleet, host, random.next() < 0.3)))
}

/** Reports outcomes of what the zone desires, some in two calls at once, and what the readers run since. */
export async function update(fleet: Fleet, host: Host): Promise<void> {
  const { caller, ledger, random } = fleet
  const { configurations, firmware } = await caller.call(host.credential, 'getDesired', {})
  const isFirmware = new Set(firmware.map(({ publication }) => publication))
  // Publications that are not for now wait for their update time.
  const current = [...configurations, ...firmware].filter(({ atOnce }) => atOnce)
  const open = current.flatMap((desired) =>
    [...host.readers.values()].filter(({ deviceType }) => deviceType === desired.deviceType).map((reader) => ({ desired, reader })),
  )
  const chosen = random.shuffle(open).slice(0, 1 + random.below(12))
  const outcomes = chosen.map(({ desired, reader }): Outcome => {
    const isApplied = random.next() < 0.85
    return {
      publication: desired.publication,
      serialNumber: reader.serialNumber,
      at: new Date().toISOString(),
      ...(isApplied ? { outcome: 'applied', reason: null } : { outcome: 'failed', reason: 'The reader does not leave its locked mode.' }),
    }
  })
  const replies = await Promise.all(
    Array.from({ length: random.next() < 0.2 ? 2 : 1 }, () => caller.call(host.credential, 'reportOutcomes', { body: { outcomes } })),
  )
  for (const { refused } of replies)
    if (refused.length > 0) ledger.faults.push(`Outcomes of ${hostKey(host)} were refused: ${JSON.stringify(refused)}`)
  for (const [index, { publication, serialNumber, outcome }] of outcomes.entries()) {
    const key = `${publication} ${serialNumber}`
    // An applied outcome stays applied.
    const wasApplied = ledger.outcomes.get(key) === 'applied'
    if (!wasApplied) ledger.outcomes.set(key, outcome)
    if (outcome === 'failed') continue
    const { desired, reader } = chosen[index]!
    if (!wasApplied && isFirmware.has(publication)) ledger.addEntry(host.organization.id, 'FirmwareInstalled', serialNumber)
    if ('content' in desired) {
      reader.configuration = { contentHash: desired.contentHash, fileName: desired.fileName }
      reader.publication = publication
    } else {
      reader.firmware = desired.version
      reader.firmwarePublication = publication
    }
    host.changed.add(serialNumber)
  }
}

/** Removes a host PC and its zone, and sets the PC up in a new zone, where it reports its readers again. */
export async function resettle(fleet: Fleet, host: Host): Promise<void> {
  const { caller, ledger } = fleet
  const { organization } = host
  const params = { organizationId: organization.id }
  const overviews = await caller.call(organization.token, 'listZoneOverviews', { params })
  const found = overviews.flatMap(({ hosts }) => hosts).find(({ name }) => name === host.name)
  if (!found) {
    ledger.faults.push(`The zones do not show ${hostKey(host)}.`)
    return
  }
  await removeFor(() => caller.call(organization.token, 'removeHost', { params: { ...params, host: found.id } }))
  ledger.addEntry(organization.id, 'removeHost', host.name)
  ledger.digests.delete(hostKey(host))
  await deleteZone(fleet, organization, host.zone)
  const zone = await createZone(fleet, organization)
  const next = makeHost(organization, { zone, timeZone: host.timeZone, isSimulated: host.driver === 'simulated' })
  const { name: hostName, timeZone, driver, credential } = next
  const body = { zoneId: zone, hostName, timeZone, driver, agentVersion: '1.0.0', credentialHash: hash(credential) }
  await caller.call(organization.licence, 'enrollHost', { body })
  ledger.addEntry(organization.id, 'enrolHost', hostName)
  for (const [serial, reader] of host.readers) {
    next.readers.set(serial, { ...reader, publication: null, firmwarePublication: null })
    ledger.addMove(organization.id, serial)
  }
  Object.assign(host, { name: hostName, credential, zone, digest: null, readers: next.readers })
  await checkIn(fleet, host, true)
}

export async function createZone({ caller, ledger }: Fleet, organization: Organization): Promise<string> {
  organization.made += 1
  const params = { organizationId: organization.id, location: `New ward ${organization.made}` }
  const { id } = await caller.call(organization.token, 'createZone', { params }, randomUUID())
  ledger.zones.set(id, true)
  ledger.addEntry(organization.id, 'ZoneCreate', id)
  return id
}

export async function deleteZone({ caller, ledger }: Fleet, { id, token }: Organization, zone: string): Promise<void> {
  await removeFor(() => caller.call(token, 'deleteZone', { params: { organizationId: id, location: zone } }))
  ledger.zones.set(zone, false)
  ledger.addEntry(id, 'ZoneDelete', zone)
}

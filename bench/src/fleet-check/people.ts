import { randomUUID } from 'node:crypto'
import { Refusal } from './calls.ts'
import { type Fleet, models, type Organization, versions } from './fleet.ts'

/** A deletion whose response was lost finds nothing when it is repeated. */
export async function removeFor(call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404 && error.isRepeated)) throw error
  }
}

/** Publishes to a zone. Where the zone is deleted at the same time, nothing is published. */
export async function publish({ caller, ledger, random }: Fleet, { id, token, hosts, spare }: Organization): Promise<void> {
  const zones = [...hosts.map(({ zone }) => zone), ...spare]
  const [location, rollout] = [random.pick(zones), randomUUID()]
  const params = { organizationId: id, location, device: random.pick(models) }
  const start = random.pick([{ when: 'now' as const }, { updateTime: '00:00' }, {}])
  const isFirmware = random.next() < 0.4
  try {
    if (isFirmware) {
      const body = { firmwareVersion: random.pick(versions), rollout, ...start }
      await caller.call(token, 'publishFirmwareVersion', { params, body }, randomUUID())
    } else
      await caller.call(token, 'publishCfg', { params, body: { cfg: `<cfg>${random.below(50)}</cfg>`, rollout, ...start } }, randomUUID())
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return
    throw error
  }
  ledger.publications.add(rollout)
  ledger.addEntry(id, isFirmware ? 'ZoneFirmwareChange' : 'ZoneConfigChange')
}

export async function register({ caller, ledger }: Fleet, organization: Organization): Promise<void> {
  const { id, token, registered } = organization
  organization.made += 1
  const sn = `REGISTERED-${organization.made}`
  const { readerId } = await caller.call(token, 'createReader', { params: { customerid: id }, body: { sn } }, randomUUID())
  ledger.registered.set(String(readerId), true)
  ledger.addEntry(id, 'createReader', sn)
  registered.push(`${readerId} ${sn}`)
}

export async function unregister({ caller, ledger }: Fleet, { id, token, registered }: Organization): Promise<void> {
  const one = registered.pop()
  if (one === undefined) return
  const [readerId, sn] = one.split(' ')
  await removeFor(() => caller.call(token, 'deleteReader', { params: { id: Number(readerId) } }))
  ledger.registered.set(readerId!, false)
  ledger.addEntry(id, 'deleteReader', sn)
}

const cities = [
  { city: 'Berlin', latitude: 52.52, longitude: 13.4 },
  { city: 'Auckland', latitude: -36.85, longitude: 174.76 },
  { city: 'Suva', latitude: -18.14, longitude: 178.44 },
]
const day = 86_400_000

/** Sends records of scanner apps from now and from earlier days. */
export async function logDevices({ caller, ledger, random }: Fleet, { id, token }: Organization): Promise<void> {
  const records = Array.from({ length: 1 + random.below(8) }, () => ({
    deviceId: `MOBILE-${random.below(8)}`,
    model: random.pick(['TC52', 'TC57']),
    os: random.pick(['Android 14', 'Android 15', null]),
    location: random.pick([...cities, null]),
    at: new Date(Date.now() - random.pick([0, 0, 1, 2, random.below(300)]) * day).toISOString(),
    decodes: random.below(2),
  }))
  const { accepted, refused } = await caller.call(token, 'logDevices', { body: { records } }, randomUUID())
  if (accepted !== records.length) ledger.faults.push(`Records of devices of ${id} were refused: ${JSON.stringify(refused)}`)
  for (const { deviceId, at } of records) ledger.days.add(`${id} ${deviceId} ${at.slice(0, 10)}`)
}

/** Exports readers or the audit log, and leaves one export in three at its first bytes. */
export async function exportFile({ caller, random }: Fleet, { id, token }: Organization): Promise<void> {
  const base = `/api/codedm/organization/${id}`
  const path = random.pick([`${base}/devices/download?ColumnName=DeviceSerialNumber&Direction=Ascending`, `${base}/audit-log/download`])
  await caller.download(token, path, random.below(3) === 0)
}

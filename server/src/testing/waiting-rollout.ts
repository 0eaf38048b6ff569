import { uuidv7 } from 'uuidv7'
import { reader } from './makers.ts'
import type { TestServer } from './server.ts'

const hour = 3_600_000

/** The time of day in UTC so many hours from now. */
export const timeIn = (hours: number): string => new Date(Date.now() + hours * hour).toISOString().slice(11, 16)
export const dateIn = (days: number): string => new Date(Date.now() + days * 24 * hour).toISOString().slice(0, 10)

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** A window that opens in two days for an hour and is closed now. */
export const laterWindow = () => ({ days: [weekdays[(new Date().getUTCDay() + 2) % 7]!], from: '10:00', to: '11:00' })

/** A time of day in UTC some hours from now, outside `laterWindow`. */
export const timeOutside = (): string => timeIn(timeIn(6).startsWith('10:') ? 8 : 6)

/**
 * Zones of one organization, each with a reader on a host PC with UTC as its time zone, and a rollout that waits in all of them for a time.
 */
export async function waitingRollout(server: TestServer, names: readonly string[], timeZones: readonly string[] = []) {
  const first = await server.zone(names[0] ?? 'ICU')
  const { organization } = first
  const manager = await server.person({ organization, permissions: ['manage:cfg', 'manage:firmware', 'manage:people'] })
  const organizationId = organization.id
  const zones = [first]
  for (const name of names.slice(1)) {
    const { body } = await manager.call('createZone', { params: { organizationId, location: name } })
    zones.push({ ...first, id: body.id })
  }
  const hosts = []
  for (const [index, zone] of zones.entries()) {
    const timeZone = timeZones[index] ?? 'UTC'
    const host = await server.host(zone, 'HOST-01', undefined, timeZone)
    const serial = `R-${index}`
    await host.checkIn([reader(serial)])
    hosts.push({ ...host, desired: async () => (await host.call('getDesired')).body, serial })
  }
  const publish = async (parts: object = { updateTime: timeIn(6) }) => {
    const params = { organizationId, id: uuidv7() }
    const answers = []
    for (const zone of zones) {
      const place = { organizationId, location: zone.id, device: 'CR2700' }
      answers.push(await manager.call('publishCfg', { params: place, body: { cfg: '<cfg>1</cfg>', rollout: params.id, ...parts } }))
    }
    return { params, answers }
  }
  const listEntries = async (changeType: string) => {
    const rows = await server.app.db
      .selectFrom('audit_entry')
      .select(['target', 'zone_name', 'new_value'])
      .where('organization_id', '=', organization.key)
      .where('change_type', '=', changeType)
      .orderBy('id')
      .execute()
    return rows.map(({ zone_name, new_value }) => [zone_name, new_value])
  }
  return { organizationId, organization, manager, zones: zones.map(({ id }) => id), hosts, publish, listEntries }
}

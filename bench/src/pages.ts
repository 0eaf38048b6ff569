import { Agent, get } from 'node:http'
import { createFleet, organizationId } from './fleet.ts'
import { settle } from './lists.ts'
import { judge } from './measure.ts'
import type { Portal } from './portal.ts'
import { endProgram, startProgram } from './programs.ts'

const readers = Number(process.env.READERS ?? 100_000)
const rounds = 9
const pagesPerRound = 1_500
/** Calls at a time. */
const parallel = 8
/** The least share of the bare handler's pages per second (SCL-08). */
const least = 0.25

/** What a page shows, in the plainest SQL. */
const page = `
  select d.device_type as "deviceType", d.serial_number as "serialNumber", zone.name as zone, host.name as host, d.last_updated_at as "lastUpdatedDate",
    coalesce(d.last_seen_at, host.readers_seen_at) as "lastSeen", c.label as "currentConfig", f.version as "currentFirmware",
    d.battery_health as "batteryHealth", d.warranty_until as "warrantyRemaining"
  from device d left join zone on zone.organization_id = $1 and zone.id = d.zone_id left join host on host.organization_id = $1 and host.id = d.host_id
  left join reported_firmware f on f.organization_id = $1 and f.id = d.firmware_id
  left join reported_configuration c on c.organization_id = $1 and c.id = d.configuration_id
  where d.organization_id = $1 order by d.serial_number limit 10`

/** Pages of the dashboard's list per second, compared with a bare handler that sends the same rows. */
export async function benchPages(portal: Portal): Promise<void> {
  const { client, userId } = portal
  await createFleet(client, readers)
  const { rows } = await client.query<{ id: number }>(
    `with o as (select id from organization where public_id = $1), g as (insert into "group" (organization_id, name) select id, 'Bench' from o returning id)
     insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $2, g.id, 'manager' from o, g returning organization_id as id`,
    [organizationId, userId],
  )
  await settle(client)
  const bare = await startProgram('bench/src/bare-page.ts', [portal.databaseUrl, page, JSON.stringify([rows[0]!.id])], {}, 'listening on')
  const floor = `http://127.0.0.1:${/\d+$/.exec(bare.line)?.[0]}/`
  const own = `${portal.url}/api/codedm/organization/${organizationId}/devices?ColumnName=DeviceSerialNumber&Direction=Ascending`
  const rates: { own: number[]; floor: number[] } = { own: [], floor: [] }
  const headers = { authorization: `Bearer ${portal.token}`, 'accept-encoding': 'gzip, br' }
  for (let round = 0; round < rounds; round++) {
    rates.own.push(await measureRate(own, headers))
    rates.floor.push(await measureRate(floor, headers))
  }
  await endProgram(bare.child, 'signal')
  const [a, b] = [median(rates.own), median(rates.floor)]
  process.stdout.write(
    `pages of 10 readers of ${readers}, ${parallel} at a time: ${a} a second, bare handler ${b}: ${(a / b).toFixed(2)}\n`,
  )
  // Shares within each round, as the machine's other work changes between rounds.
  const shares = rates.own.map((rate, round) => rate / rates.floor[round]!).toSorted((x, y) => x - y)
  judge('SCL-08', "pages a second, of a bare handler's", shares[Math.floor(rounds / 2)]!, { least })
}

const median = (numbers: number[]) => Math.round(numbers.toSorted((x, y) => x - y)[Math.floor(numbers.length / 2)]!)

/** Pages a second. */
async function measureRate(url: string, headers: Record<string, string>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel })
  let left = pagesPerRound
  const start = performance.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) await read(url, headers, agent)
    }),
  )
  agent.destroy()
  return (1_000 * pagesPerRound) / (performance.now() - start)
}

const read = (url: string, headers: Record<string, string>, agent: Agent) =>
  new Promise<void>((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
      response.on('end', resolve).resume()
    }).on('error', reject)
  })

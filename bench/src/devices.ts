import { DeviceColumn, Direction } from '@lectern/contract/devices/devices.ts'
import type pg from 'pg'
import { createFleet, organizationId } from './fleet.ts'
import { judge, measure, printHeading } from './measure.ts'
import type { Portal } from './stand.ts'

const readers = Number(process.env.READERS ?? 100_000)
const rows = 10
const allowed = 40 + 12 * rows
const path = `/api/codedm/organization/${organizationId}/devices`
const tiles = { all: '', offline: 'onlyOffline=true', battery: 'onlyBadBattery=true', warranty: 'onlyWarrantyExpired=true' }

/** The device dashboard's list in one large organization: every first page, searches, totals, pages far in. */
export async function benchDevices(portal: Portal): Promise<void> {
  const { client, userId } = portal
  process.stdout.write(`filling one organization with ${readers} readers\n`)
  await createFleet(client, readers)
  await client.query(
    `with g as (insert into "group" (organization_id, name) values ($1, 'Bench') returning id) insert into member (organization_id, user_id, group_id) select $1, $2, g.id from g`,
    [organizationId, userId],
  )
  await settle(client)
  printHeading(`first page of ${rows}`)
  let worst = 0
  for (const column of DeviceColumn.options)
    for (const direction of Direction.options)
      for (const [tile, filter] of Object.entries(tiles)) {
        const query = `${path}?ColumnName=${column}&Direction=${direction}&${filter}`
        worst = Math.max(worst, (await measure(portal, `${column} ${direction}, ${tile}`, query)).buffers)
      }
  await measure(portal, 'search "zone 017"', `${path}?textFilter=zone%20017`)
  await measure(portal, 'search by serial', `${path}?textFilter=27P00012345`)
  await measure(portal, 'totals', `${path}/totals`)
  await measure(portal, 'page in the middle', `${path}?PageNumber=${Math.floor(readers / 20)}`)
  await measure(portal, 'last page', `${path}?PageNumber=${Math.ceil(readers / rows) - 1}`)
  judge('buffers of the worst first page (40 + 12 a row)', worst, allowed)
}

/** What an hour of running does on its own: the sweep has marked what is due, statistics and visibility are fresh. */
async function settle(client: pg.Client): Promise<void> {
  await client.query(`update device_state set offline = true where last_seen_at < now() - interval '72 hours'`)
  await client.query(`update device set offline = true where id in (select device_id from device_state where offline)`)
  await client.query(`update device set warranty_due = true where warranty_until <= (now() at time zone 'UTC')::date + interval '3 months'`)
  await client.query(`update device_state set warranty_due = true where device_id in (select id from device where warranty_due)`)
  await client.query('vacuum analyze')
}

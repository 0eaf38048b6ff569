import { manager, northfield, type Stack } from '../support/processes/stack.ts'

/** Adds so many zones with a host PC and readers of two models each; half of them have tags. */
export async function addZones(stack: Stack, count: number): Promise<string[]> {
  const zones = await stack.sql<{ id: string }>(
    `insert into zone (public_id, organization_id, name)
     select gen_random_uuid(), o.id, 'Store ' || to_char(n, 'FM0000') from organization o cross join generate_series(1, $2::int) n where o.public_id = $1
     returning public_id as id`,
    [northfield, count],
  )
  await stack.sql(
    `insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, last_seen_at)
     select gen_random_uuid(), z.organization_id, z.id, (select l.id from licence l where l.organization_id = z.organization_id limit 1), 'PC', 'Europe/Berlin', '1', now()
     from zone z where z.name like 'Store %'`,
  )
  await stack.sql(
    `insert into device (organization_id, zone_id, host_id, serial_number, device_type, last_seen_at)
     select h.organization_id, h.zone_id, h.id, 'S' || h.id || model, model::device_model, now()
     from host h join zone z on z.organization_id = h.organization_id and z.id = h.zone_id, unnest(array['CR2700', 'CR1500']) model where z.name like 'Store %'`,
  )
  const ids = zones.map(({ id }) => id)
  const body = { zones: ids.slice(0, count / 2), add: ['north', 'large'] }
  await (await stack.api(manager))('tagZones', { params: { organizationId: northfield }, body })
  return ids
}

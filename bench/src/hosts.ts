import { createHash, randomUUID } from 'node:crypto'
import type { Portal } from './portal.ts'

export const aboutHost = { timeZone: 'Europe/Berlin', agentVersion: '1.0.0' }

export const post = ({ send }: Portal, path: string, body: unknown, bearer?: string) =>
  send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }, bearer)

/** Makes an organization with the signed-in user as a member. */
export async function createOrganization({ client, userId }: Portal): Promise<string> {
  const id = randomUUID()
  await client.query(
    `with o as (insert into organization (public_id, name) values ($1, $3) returning id),
       g as (insert into "group" (organization_id, name) select id, 'Bench' from o returning id)
     insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $2, g.id, 'manager' from o, g`,
    [id, userId, `Bench ${id}`],
  )
  return id
}

/** Makes the signed-in user a manager of an existing organization. */
export async function joinOrganization({ client, userId }: Portal, publicId: string): Promise<void> {
  await client.query(
    `with o as (select id from organization where public_id = $1), g as (insert into "group" (organization_id, name) select id, 'Bench' from o returning id)
     insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $2, g.id, 'manager' from o, g`,
    [publicId, userId],
  )
}

/** Makes a zone, and a licence that enrolls hosts in it. */
export async function openZone({ client }: Portal, organization: string, name: string): Promise<{ id: string; licence: string }> {
  const [id, licence] = [randomUUID(), randomUUID()]
  await client.query('insert into zone (public_id, organization_id, name) select $1, id, $3 from organization where public_id = $2', [
    id,
    organization,
    name,
  ])
  await client.query(
    `with l as (insert into licence (id, organization_id, licence_number) select $1, id, $3 from organization where public_id = $2 returning *)
     insert into licence_owner (organization_id, licence_id, licence_number) select organization_id, id, licence_number from l`,
    [randomUUID(), organization, licence],
  )
  return { id, licence }
}

/** Makes a zone with one host. */
export async function enroll(portal: Portal, organization: string, name: string): Promise<{ id: string; credential: string }> {
  const { id, licence } = await openZone(portal, organization, name)
  const credential = randomUUID()
  const credentialHash = createHash('sha256').update(credential).digest('hex')
  const host = { ...aboutHost, zoneId: id, hostName: name, credentialHash, driver: 'serial' }
  await post(portal, '/api/agent/enroll', host, licence)
  return { id, credential }
}

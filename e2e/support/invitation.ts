import { manager, type Stack } from './processes/stack.ts'

/** What the link of the last message to an address has behind the portal's address: a path. */
export async function readInvitation(stack: Stack, email: string): Promise<string> {
  const [message] = await stack.sql<{ body: string }>(
    `select body from idp_message where recipient = $1 and subject like 'Invitation%' order by created_at desc limit 1`,
    [email],
  )
  const path = /\/join\/\d+\?invitation=\S+/.exec(message?.body ?? '')?.[0]
  if (path === undefined) throw new Error(`Nobody has invited ${email}`)
  return path
}

/** Invites an address as a Viewer, and returns the path of its link. */
export async function invite(stack: Stack, email: string, groupId: number, account = manager): Promise<string> {
  const api = await stack.api(account)
  const [organizationId = ''] = (await api('getCurrentUser', {})).organizationId
  await api('createInvitation', { params: { organizationId }, body: { email, roleId: 'viewer', groupId } })
  return readInvitation(stack, email)
}

/** Lets an invitation run out. */
export const expireInvitations = (stack: Stack, email: string) =>
  stack.sql(`update invitation set expires_at = now() where email = $1`, [email])

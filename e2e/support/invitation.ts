import { createHmac } from 'node:crypto'
import type { Stack } from './processes/stack.ts'

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An invitation as the server signs it, with its own secret, that expired a minute ago. */
export async function expiredInvitation(stack: Stack, gid: number): Promise<string> {
  const [row] = await stack.sql<{ secret: Buffer }>(`select secret from signing_secret where purpose = 'invitation'`)
  if (!row) throw new Error('No invitation has been signed yet')
  const claims = { aud: 'invitation', sub: String(gid), exp: Math.floor(Date.now() / 1000) - 60 }
  const signed = `${base64url({ alg: 'HS256' })}.${base64url(claims)}`
  return `${signed}.${createHmac('sha256', row.secret).update(signed).digest('base64url')}`
}

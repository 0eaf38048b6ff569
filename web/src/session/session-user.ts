import { decodeJwt } from 'jose/jwt/decode'
import type { SessionUser } from '../lib/session.ts'

/** What the provider says of a person: an ID token's claims, or its answer to `/userinfo`. */
export interface Profile {
  sub?: string
  email?: string
  name?: string
  nickname?: string
  picture?: string
}

/** The person of a profile and an access token (spec §3). */
export function sessionUser({ sub = '', email = '', name = '', nickname, picture }: Profile, token: string): SessionUser {
  return { id: sub, permissions: decodePermissions(token), picture, email, name, nickname, token }
}

/** The permissions an access token carries; none where it cannot be read. The server verifies it, the screens only follow it. */
function decodePermissions(token: string): readonly string[] {
  try {
    const { permissions } = decodeJwt(token)
    return Array.isArray(permissions) ? permissions.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

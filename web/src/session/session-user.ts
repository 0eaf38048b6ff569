import type { SessionUser } from '../lib/session.ts'

/** Claims of an ID token, or of `/userinfo`. */
export interface Profile {
  sub?: string
  email?: string
  name?: string
  nickname?: string
  picture?: string
}

export function toSessionUser({ sub = '', email = '', name = '', nickname, picture }: Profile, token: string): SessionUser {
  return { id: sub, permissions: decodePermissions(token), picture, email, name, nickname, token }
}

/** Empty where the token cannot be decoded. The server verifies it; here it only decides what is shown. */
function decodePermissions(token: string): readonly string[] {
  try {
    const [, claims = ''] = token.split('.')
    const { permissions } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return Array.isArray(permissions) ? permissions.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

import * as z from 'zod/mini'

/** As the identity provider issues them (spec §6). */
export const Permission = z.enum([
  'manage:cfg',
  'manage:firmware',
  'manage:cfg-lib',
  // Guards nothing (zones need manage:firmware), but sign-in asks for it (spec §6).
  'manage:locations',
  'access:audit_log',
  'access:analytics',
  'access:device-dashboard',
  'global:access:organizations',
  'global:access:analytics',
])
export type Permission = z.infer<typeof Permission>

/** The others are for the vendor's staff. */
export const customerPermissions: readonly Permission[] = Permission.options.filter((name) => !name.startsWith('global:'))

/** Asked for at sign-in (spec §6). */
export const loginScopes = [...Permission.options, 'openid', 'profile', 'email', 'name', 'offline_access'].sort().join(' ')

import * as z from 'zod/mini'

export const Permission = z.enum([
  'manage:cfg',
  'manage:firmware',
  'manage:cfg-lib',
  // Guards nothing (zones need manage:firmware), but sign-in asks for it (spec §6).
  'manage:locations',
  'manage:licences',
  'access:audit_log',
  'access:analytics',
  'access:device-dashboard',
  'global:access:organizations',
  'global:access:analytics',
])
export type Permission = z.infer<typeof Permission>

export const customerPermissions: readonly Permission[] = Permission.options.filter((name) => !name.startsWith('global:'))

export const loginScopes = [...Permission.options, 'openid', 'profile', 'email', 'name', 'offline_access'].sort().join(' ')

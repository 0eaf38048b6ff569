import * as z from 'zod/mini'

export const Permission = z.enum([
  'manage:cfg',
  'manage:firmware',
  'manage:cfg-lib',
  // Guards nothing, as zones need manage:firmware, but sign-in asks for it (spec §6).
  'manage:locations',
  'manage:licences',
  'access:audit_log',
  'access:analytics',
  'access:device-dashboard',
  'manage:people',
  'global:access:organizations',
  'global:access:analytics',
])
export type Permission = z.infer<typeof Permission>

/** Provider-wide permissions come from the identity provider alone (decision 45); the others are granted by an organization's people. */
export const isProviderWide = (permission: string): boolean => permission.startsWith('global:')

export const customerPermissions: readonly Permission[] = Permission.options.filter((name) => !isProviderWide(name))

export const loginScopes = [...Permission.options, 'openid', 'profile', 'email', 'name', 'offline_access'].sort().join(' ')

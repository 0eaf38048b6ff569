import type { Permission } from './permissions.ts'

/**
 * Each of these permissions, in a role without limits, lets one choose a group's products. In a file without the schemas of groups, which
 * the first page does not need.
 */
export const productListPermissions = ['manage:cfg', 'manage:firmware', 'manage:people'] as const satisfies readonly Permission[]

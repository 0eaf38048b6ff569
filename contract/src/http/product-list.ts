import type { Permission } from './permissions.ts'

/** Any of them, in a role without limits, lets one choose the products of a group. Apart from the schemas of groups, which the first page does without. */
export const productListPermissions = ['manage:cfg', 'manage:firmware', 'manage:people'] as const satisfies readonly Permission[]

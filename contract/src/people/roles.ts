import * as z from 'zod/mini'
import { customerPermissions, Permission } from '../http/permissions.ts'
import { field } from '../text/fields.ts'
import { Name, Text, Uuid } from '../text/text.ts'
import { Tag } from '../zones.ts'

/** Roles of every organization, by the id that calls use. Manager has every permission of an organization, also later ones. */
export const builtInRoles = {
  viewer: { name: 'Viewer', permissions: [] },
  operator: { name: 'Operator', permissions: ['manage:cfg', 'manage:firmware', 'manage:cfg-lib'] },
  manager: { name: 'Manager', permissions: customerPermissions },
  auditor: { name: 'Auditor', permissions: ['access:audit_log', 'access:analytics'] },
} as const satisfies Record<string, { name: string; permissions: readonly Permission[] }>

/**
 * Permissions that a role limited to zones can have: what is done in zones, and nothing about the organization as a whole (decision 47).
 */
const permissionsInZones = [
  'manage:cfg',
  'manage:firmware',
  'manage:locations',
  'access:audit_log',
  'access:device-dashboard',
] as const satisfies readonly Permission[]

export const isOfZones = (permission: string): boolean => permissionsInZones.some((one) => one === permission)

export type BuiltInRole = keyof typeof builtInRoles

export const isBuiltIn = (roleId: string): roleId is BuiltInRole => Object.hasOwn(builtInRoles, roleId)

export const RoleId = Text(100)

const RoleZone = z.object({ id: z.string(), name: z.string() })

/**
 * `zones`: names of the zones chosen for it. `tags`: it also covers every zone with one of them. `zoneCount`: how many zones it covers now.
 * All three are absent where it is not limited.
 */
export const Role = z.object({
  roleId: z.string(),
  name: z.string(),
  permissions: z.array(Permission),
  zones: z.optional(z.array(RoleZone)),
  tags: z.optional(z.array(z.string())),
  zoneCount: z.optional(z.int()),
  isBuiltIn: z.boolean(),
  members: z.int(),
})
export type Role = z.infer<typeof Role>

/** What edits of a role are compared by; names of zones are not edited with it. */
export const EditedRole = z.object({
  name: z.string(),
  permissions: z.array(Permission),
  zones: z.optional(z.array(z.object({ id: z.string() }))),
  tags: z.optional(z.array(z.string())),
})

/** `areReadOnly`: tokens of the identity provider decide what members may do (ORGANIZATION_PERMISSIONS=token). */
export const RoleList = z.object({ roleList: z.array(Role), areReadOnly: z.boolean() })
export type RoleList = z.infer<typeof RoleList>

const isOfCustomers = z.refine<Permission[]>(
  (permissions) => permissions.every((permission) => customerPermissions.includes(permission)),
  'must be permissions of an organization',
)

export const mostZonesOfRole = 1_000
export const mostTagsOfRole = 100

const ChosenZones = z.array(Uuid).check(z.maxLength(mostZonesOfRole, `Choose at most ${mostZonesOfRole} zones.`))
const ChosenTags = z.array(Tag).check(z.maxLength(mostTagsOfRole, `Choose at most ${mostTagsOfRole} tags.`))

/**
 * `zones`: ids; null: not limited; absent: unchanged, and for a new role not limited. `tags`, beside `zones`: it also covers every zone
 * with one of them.
 */
export const RoleInput = z
  .object({
    name: field(Name(100), { label: 'Name' }),
    permissions: field(z.array(Permission).check(z.maxLength(100), isOfCustomers), { label: 'Permissions' }),
    zones: field(z.optional(z.nullable(ChosenZones)), { label: 'Zones' }),
    tags: field(z.optional(ChosenTags), { label: 'Tags' }),
  })
  .check(
    z.refine(({ zones, tags }) => zones?.length !== 0 || (tags ?? []).length > 0, {
      path: ['zones'],
      message: 'Choose at least one zone or tag.',
    }),
    z.refine(({ zones, tags }) => zones != null || (tags ?? []).length === 0, {
      path: ['tags'],
      message: 'A role that is limited to tags names its zones as well, if only with an empty list.',
    }),
  )
export type RoleInput = z.infer<typeof RoleInput>

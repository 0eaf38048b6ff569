import type { Role } from '@lectern/contract/people/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { usePermissions } from '../lib/session.ts'

export const rolesElsewhere = 'Your identity provider says what members may do. Roles are shown here, and have no effect.'

export const useRoles = (organizationId: string) => useQuery(q('listRoles', { params: { organizationId } }))

/** Whether the user has every permission of a role. Permissions that they lack they can neither grant nor take away (PPL-06). */
export function useMayGrant(): (permissions: readonly string[]) => boolean {
  const held = usePermissions()
  return (permissions) => permissions.every((permission) => held.includes(permission))
}

/** Options of a select. Roles that permit more than the user may are shown, but cannot be chosen. */
export function useRoleOptions(roles: readonly Role[] | undefined) {
  const mayGrant = useMayGrant()
  return (roles ?? []).map(({ roleId, name, permissions }) =>
    mayGrant(permissions)
      ? { value: roleId, label: name }
      : { value: roleId, label: `${name} (permits more than you may)`, disabled: true },
  )
}

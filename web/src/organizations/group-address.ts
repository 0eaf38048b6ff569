interface Parameters {
  organizationId?: string | undefined
  groupId?: string | undefined
}

/**
 * The group id is read base 10 (spec §9); null where it is not a number.
 * @throws Error where a parameter is missing (spec §8)
 */
export function readGroupAddress({ organizationId, groupId }: Parameters): { organizationId: string; groupId: number | null } {
  if (!organizationId || !groupId) throw new Error('groupId or organizationId is missing')
  return { organizationId, groupId: /^\d+$/.test(groupId) ? Number.parseInt(groupId, 10) : null }
}

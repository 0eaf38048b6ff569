interface Parameters {
  organizationId?: string | undefined
  groupId?: string | undefined
}

/**
 * Reads the group's id base 10 (spec §9); null where it is no number.
 * @throws Error where a parameter is missing (spec §8)
 */
export function readGroupAddress({ organizationId, groupId }: Parameters): { organizationId: string; groupId: number | null } {
  if (!organizationId || !groupId) throw new Error('groupId or organizationId is missing')
  return { organizationId, groupId: /^\d+$/.test(groupId) ? Number.parseInt(groupId, 10) : null }
}

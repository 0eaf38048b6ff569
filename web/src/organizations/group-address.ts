interface Parameters {
  organizationId?: string | undefined
  groupId?: string | undefined
}

/**
 * What the address of a group's details says. The id is read base 10 (spec §9); null where it is no number, which no group has.
 * Throws where a parameter lacks (spec §8).
 */
export function groupAddress({ organizationId, groupId }: Parameters): { organizationId: string; groupId: number | null } {
  if (!organizationId || !groupId) throw new Error('groupId or organizationId is missing')
  return { organizationId, groupId: /^\d+$/.test(groupId) ? Number.parseInt(groupId, 10) : null }
}

import { readStored, removeStored, writeStored } from './stored-text.ts'

/** A registered person and their organizations, as this browser last saw them. */
export interface KnownMember {
  userId: string
  organizationId: readonly string[]
  /** Null where an earlier version stored it. */
  permissions: readonly string[] | null
  isLimitedToZones?: true | undefined
}

const key = 'member'

/**
 * Who was here last. With it a page asks for its data while it asks who is signed in. It grants nothing, as the server authorizes each
 * call. Undefined for any other person.
 */
export function readKnownMember(userId: string | undefined): KnownMember | undefined {
  try {
    const known = JSON.parse(readStored(key) ?? 'null') as KnownMember | null
    if (known?.userId !== userId || !Array.isArray(known?.organizationId)) return undefined
    return { ...known, permissions: Array.isArray(known.permissions) ? known.permissions : null }
  } catch {
    return undefined
  }
}

export const storeKnownMember = (member: KnownMember): void => writeStored(key, JSON.stringify(member))

export const forgetKnownMember = (): void => removeStored(key)

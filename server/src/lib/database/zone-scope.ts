import { type RawBuilder, sql } from 'kysely'

// What a caller sees of an organization: all of it, or what is in the zones that their role is limited to (decision 47).
export interface ZoneScope {
  organizationId: number
  /** In ascending order; null: all, and what has no zone. */
  zones: readonly number[] | null
}

export const wholeOrganization = (organizationId: number): ZoneScope => ({ organizationId, zones: null })

/** @param zone a column with a zone's id inside */
export const isInZones = ({ zones }: Pick<ZoneScope, 'zones'>, zone: RawBuilder<unknown>): RawBuilder<boolean> =>
  zones === null ? sql`true` : sql`${zone} = any(${zones}::int[])`

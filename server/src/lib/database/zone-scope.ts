import { type RawBuilder, sql } from 'kysely'

// What a caller sees of an organization: all of it, or what is in the zones that their role is limited to (decision 47).
export interface ZoneScope {
  organizationId: number
  /** In ascending order; null: all, and what has no zone. */
  zones: readonly number[] | null
}

export const wholeOrganization = (organizationId: number): ZoneScope => ({ organizationId, zones: null })

// SQL: the zones of `role`, which is limited: those chosen for it, and those with one of its tags.
export const zonesOfRole = sql`(
  select zone_id from role_zone where role_zone.organization_id = role.organization_id and role_zone.role_id = role.id
  union
  select zone_tag.zone_id from role_tag join zone_tag on zone_tag.organization_id = role_tag.organization_id and zone_tag.tag_id = role_tag.tag_id
  where role_tag.organization_id = role.organization_id and role_tag.role_id = role.id)`

/** @param zone a column with the zone's internal id */
export const isInZones = ({ zones }: Pick<ZoneScope, 'zones'>, zone: RawBuilder<unknown>): RawBuilder<boolean> =>
  zones === null ? sql`true` : sql`${zone} = any(${zones}::int[])`

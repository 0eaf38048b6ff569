import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'

export const selectZone = (db: Database, { organizationId, zones }: ZoneScope, publicId: string) =>
  db
    .selectFrom('zone')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('public_id', '=', publicId)
    .where(isInZones({ zones }, sql`zone.id`))
    .executeTakeFirst()

import { offlineHours } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'

/** SQL: whether a reader last seen at this time is offline (spec §9); null where it was never seen. */
export const isOffline = (lastSeen: RawBuilder<unknown>) =>
  sql<boolean>`${lastSeen} < now() - make_interval(hours => ${sql.lit(offlineHours)})`

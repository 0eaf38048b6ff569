import { kindBits } from '@lectern/contract/devices/attached.ts'
import type { ContentKind, StoredKind } from '@lectern/contract/publications/content-kind.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { configurationLabel } from '../../lib/database/names.ts'
import { boolean, integer, orNull, read, text } from '../../lib/database/rows.ts'
import { isSameContent, runsNewer } from '../../lib/database/same-content.ts'
import { factsOfReader, verdictColumns } from '../preview-sql.ts'

// SQL: whether reported content `c` or `f` is that of publication `p`.
const isPublished = isSameContent(
  { configuration: 'c', firmware: 'f' },
  { isFirmware: sql`p.kind = 'firmware'`, order: sql`p.version_order`, hash: sql`p.content_hash`, label: sql`p.label` },
)

/** SQL: of `kindBits`, how publication `p` is stored. */
const kindBit = sql`case p.content ${sql.join(
  Object.entries(kindBits).map(([kind, bit]) => sql`when ${sql.lit(kind)} then ${sql.lit(bit)}`),
  sql` `,
)} end`

/**
 * Counts readers that get a publication again, by the facts that decide what becomes of them.
 * @param repaired SQL that selects `publication_id` and `device_id` of each
 */
export const selectRepairGroups = (db: Database, organizationId: number, repaired: RawBuilder<unknown>, minBattery: number) =>
  read(
    db,
    {
      model: text(sql`device_type`),
      kind: text<ContentKind>(sql`kind`),
      content: text<StoredKind>(sql`content`),
      isHalted: boolean(sql`is_halted`),
      ...verdictColumns,
      agentVersion: orNull(text(sql`agent_version`)),
      readers: integer(sql`count(*)`),
    },
    (list) => sql`
      select ${list} from (
        select p.device_type, p.kind, p.content, p.is_halted, host.agent_version,
          coalesce(${isPublished}, false) as is_same,
          ${factsOfReader(organizationId, minBattery, kindBit)},
          ${runsNewer(sql`p.version_order`)} as runs_newer
        from (${repaired}) repaired
        join (
          select p.id, p.device_type, p.kind, p.content, p.content_hash, p.version_order, ${configurationLabel('p')} as label, is_halted(p) as is_halted
          from publication p where p.organization_id = ${organizationId} and p.id in (select publication_id from (${repaired}) one)
        ) p on p.id = repaired.publication_id
        join device d on d.organization_id = ${organizationId} and d.id = repaired.device_id
        left join host on host.organization_id = ${organizationId} and host.id = d.host_id
        left join reported_configuration c on p.kind = 'configuration' and c.organization_id = ${organizationId} and c.id = d.configuration_id
        left join reported_firmware f on p.kind = 'firmware' and f.organization_id = ${organizationId} and f.id = d.firmware_id
      ) reader
      group by device_type, kind, content, is_halted, is_same, has_host, is_silent, is_on_two_pcs, is_missing, is_impossible, is_battery_low, runs_newer, agent_version`,
  )

/** SQL: selects one reader, for `selectRepairGroups`. */
export const oneReader = (publication: string, device: number): RawBuilder<unknown> =>
  sql`select ${publication}::uuid as publication_id, ${device}::bigint as device_id`

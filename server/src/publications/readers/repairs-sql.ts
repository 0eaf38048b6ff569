import type { ContentKind, StoredKind } from '@lectern/contract/publications/content-kind.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { configurationLabel } from '../../lib/database/names.ts'
import { boolean, integer, orNull, read, text } from '../../lib/database/rows.ts'
import { factsOfReader, verdictColumns } from '../preview-sql.ts'

/**
 * Counts readers that get a publication again, by their facts.
 * @param repaired SQL with `publication_id` and `device_id` of each
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
          coalesce(case when p.kind = 'firmware' then f.version_order = p.version_order
            else c.content_hash = p.content_hash and c.label = p.label end, false) as is_same,
          ${factsOfReader(organizationId, minBattery)},
          coalesce(split_part(f.version_sort, ' ', 1) collate "C" > version_rank(p.version_order) collate "C", false) as runs_newer
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
      group by device_type, kind, content, is_halted, is_same, has_host, is_silent, is_missing, is_battery_low, runs_newer, agent_version`,
  )

export const oneReader = (publication: string, device: number): RawBuilder<unknown> =>
  sql`select ${publication}::uuid as publication_id, ${device}::bigint as device_id`

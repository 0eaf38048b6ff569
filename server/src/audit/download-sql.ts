import type { AuditFilter } from '@lectern/contract/audit/audit.ts'
import { anyChange, itself, type Place, predicates, unknownUser } from '@lectern/contract/audit/audit-sentence.ts'
import { type RawBuilder, sql } from 'kysely'
import { asInstant, asText, createCsvFile } from '../lib/csv-sql.ts'
import type { Exports, Streamed } from '../lib/http/serve.ts'
import { selectCells } from './sql.ts'

const columns: Record<Place, RawBuilder<string | null>> = {
  changeType: sql`change_type`,
  target: sql`target`,
  newValue: sql`new_value`,
  zoneName: sql`zone_name`,
  version: sql`version`,
  configName: sql`config_name`,
  deviceSerial: sql`device_serial`,
}

const toCase = (branches: readonly RawBuilder<unknown>[], otherwise: RawBuilder<unknown>) =>
  branches.length === 0 ? otherwise : sql`case ${sql.join(branches, sql` `)} else ${otherwise} end`

// What `formatSentence` says of an `audit_entry` and its initiator `"user"`.
const subject: RawBuilder<string> = sql`coalesce(
  case when "user".email is not null then coalesce(initiator_name, initiator_email, "user".email) end,
  ${toCase(
    [...itself].map(([type, name]) => sql`when change_type = ${sql.lit(type)} then ${sql.lit(name)}`),
    sql.lit(unknownUser),
  )})`

const isFilled = (template: string): RawBuilder<boolean> =>
  sql.join(
    [sql<boolean>`true`, ...[...template.matchAll(/\{(\w+)\}/g)].map(([, place]) => sql<boolean>`${columns[place as Place]} <> ''`)],
    sql` and `,
  )

const fill = (template: string): RawBuilder<string> =>
  sql`concat(${sql.join(
    template
      .split(/(\{\w+\}|\[.*?\])/)
      .filter((part) => part !== '')
      .map((part) => {
        if (part.startsWith('{')) return columns[part.slice(1, -1) as Place]
        if (!part.startsWith('[')) return sql.lit(part)
        const optional = part.slice(1, -1)
        return sql`case when ${isFilled(optional)} then ${fill(optional)} end`
      }),
  )})`

const fillIfFull = (template: string): RawBuilder<string> => {
  const needed = template.replace(/\[.*?\]/g, '')
  return sql`case when ${isFilled(needed)} then ${fill(template)} else ${fill(anyChange)} end`
}

const predicate: RawBuilder<string> = sql`case change_type ${sql.join(
  Object.entries(predicates).map(([type, known]) => {
    if (typeof known === 'string') return sql`when ${sql.lit(type)} then ${fillIfFull(known)}`
    const branches = [...known.values].map(
      ([value, template]) => sql`when coalesce(new_value, '') = ${sql.lit(value)} then ${fillIfFull(template)}`,
    )
    return sql`when ${sql.lit(type)} then ${toCase(branches, fillIfFull(known.otherwise))}`
  }),
  sql` `,
)} else ${fillIfFull(anyChange)} end`

const cells = {
  'In effect since': asInstant(sql`in_effect_since`),
  'What happened': sql`${asText(subject)} || ' ' || ${predicate}`,
  Change: sql`change_type`,
  Initiator: asText(sql`initiator_email`),
  Zone: asText(sql`zone_name`),
  Target: asText(sql`target`),
  Configuration: asText(sql`config_name`),
  Version: asText(sql`version`),
  'Serial Number': asText(sql`device_serial`),
  'New value': asText(sql`new_value`),
  Address: sql`address`,
  Request: asText(sql`request_id`),
  Simulated: sql`case when simulated then 'Yes' end`,
}

/** The newest entry first; the file name has the UTC day. */
export const downloadLog = ({ db, exportPool }: Exports, log: number, filter: AuditFilter): Promise<Streamed> =>
  createCsvFile(exportPool, {
    fileName: `audit-log-${new Date().toISOString().slice(0, 10)}.csv`,
    headings: Object.keys(cells),
    query: selectCells(db, log, filter, Object.values(cells)).compile(),
  })

import type { AuditEntry, AuditFilter } from '@lectern/contract/audit/audit.ts'
import { formatSentence } from '@lectern/contract/audit/audit-sentence.ts'
import { createCsvFile } from '../lib/csv.ts'
import type { Database } from '../lib/database/database.ts'
import type { Streamed } from '../lib/http/serve.ts'
import { streamEntries } from './audit.ts'
import type { Log } from './sql.ts'

type Row = Omit<AuditEntry, 'id' | 'organizationId' | 'user'> & { sentence: string }

const headings = {
  inEffectSince: 'In effect since',
  sentence: 'What happened',
  changeType: 'Change',
  initiatorEmail: 'Initiator',
  zoneName: 'Zone',
  target: 'Target',
  configName: 'Configuration',
  version: 'Version',
  deviceSerial: 'Serial Number',
  newValue: 'New value',
  address: 'Address',
  requestId: 'Request',
} satisfies Record<keyof Row, string>

/** CSV, the newest entry first; the file name has the UTC day. */
export const downloadLog = (db: Database, log: Log, filter: AuditFilter): Streamed =>
  createCsvFile(`audit-log-${new Date().toISOString().slice(0, 10)}.csv`, headings, rows(db, log, filter))

async function* rows(db: Database, log: Log, filter: AuditFilter): AsyncGenerator<Row> {
  for await (const entry of streamEntries(db, log, filter)) yield { ...entry, sentence: formatSentence(entry) }
}

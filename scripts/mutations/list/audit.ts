import { type Mutation, of } from './mutation.ts'

/** What the audit log records and shows. */
export const audit: readonly Mutation[] = [
  ...of('server/src/audit/entries.test.ts', [
    {
      file: 'server/src/audit/sql.ts',
      text: 'sql`audit_entry.organization_id = ${organizationId}`',
      replacement: 'sql`true`',
      test: '[API-AUD-01 ENT-22] returns the whole log, newest first, with what each change type has',
    },
    {
      file: 'server/src/lib/database/cursor.ts',
      text: 'yield* rows',
      replacement: 'yield rows[0] as Row',
      test: '[API-AUD-01 ENT-22] returns the whole log, newest first, with what each change type has',
    },
    {
      file: 'server/src/audit/audit.ts',
      text: 'export const vendorsLog = 0',
      replacement: 'export const vendorsLog = 1',
      test: 'staff read what concerns no organization, which no organization sees',
    },
    {
      file: 'server/src/audit/sql.ts',
      text: "'in_effect_since', '<', instant(",
      replacement: "'in_effect_since', '<=', instant(",
      test: "[API-AUD-01] { to: '2026-01-02T10:00:00Z' } shows the entries to which all of it applies, whole, in pages and counted",
    },
    {
      file: 'server/src/audit/sql.ts',
      text: '(audit_entry.in_effect_since, audit_entry.id) < (',
      replacement: '(audit_entry.in_effect_since, audit_entry.id) <= (',
      test: 'a page behind an entry stays where it is while new ones are written, also among entries of one instant',
    },
    {
      file: 'server/src/audit/sql.ts',
      text: 'limit(countedEntries + 1)',
      replacement: 'limit(countedEntries)',
      test: 'where a filter has no stored total, entries are counted to 10,000',
    },
    {
      file: 'server/src/audit/sql.ts',
      text: "if (device !== undefined) entries = entries.where('device_serial', '=', device)",
      replacement: '',
      test: '[API-AUD-01 ENT-22] returns the whole log, newest first, with what each change type has',
    },
    {
      file: 'server/src/audit/sql.ts',
      text: 'and ${value} > found.value',
      replacement: 'and ${value} >= found.value',
      test: 'names the types, people and zones of a log',
    },
    {
      file: 'server/src/audit/audit.ts',
      text: 'fromEnd ? total - offset - size : offset',
      replacement: 'offset',
      test: 'pages from either end and through the middle, each entry once, with the exact total',
    },
    {
      file: 'server/migrations/0023-layout.sql',
      text: 'before update or delete on audit_entry',
      replacement: 'before update on audit_entry',
      test: 'the database refuses to delete entries',
    },
    {
      file: 'server/migrations/0023-layout.sql',
      text: 'create trigger audit_entry_no_truncate before truncate on audit_entry for each statement execute function refuse_audit_change();',
      replacement: '',
      test: 'the database refuses to truncate entries',
    },
  ]),
  ...of('server/src/zones/zones.test.ts', [
    {
      file: 'server/src/audit/audit.ts',
      text: "caller && 'userId' in caller ? caller : null",
      replacement: 'null',
      test: 'zones are in the audit log: who, from where, what, in the same transaction',
    },
  ]),
]

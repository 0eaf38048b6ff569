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
  ...of('server/src/audit/folded.test.ts', [
    {
      file: 'server/src/audit/sql.ts',
      text: 'depth !== null && isInside(changeType)',
      replacement: 'false',
      test: '[RIT-07] a chosen type keeps its rollouts folded: one entry of each that has such a change, with its count, and all others as they are',
    },
    {
      file: 'server/src/audit/audit.ts',
      text: 'depth == null || !isInside(changeType)',
      replacement: 'true',
      test: '[RIT-07] a chosen type keeps its rollouts folded: one entry of each that has such a change, with its count, and all others as they are',
    },
    {
      file: 'server/src/audit/sql.ts',
      text: '`audit_entry.depth = 0`',
      replacement: '`true`',
      test: '[RCD-02] a rollout is one entry with its zones and readers inside; each of them stays reachable and in the export',
    },
    {
      file: 'server/src/audit/sql.ts',
      text: '`audit_entry.depth <= 1`',
      replacement: '`audit_entry.depth = 0`',
      test: '[RCD-02] a zone shows what a rollout did there once; a reader and a text find single entries',
    },
    {
      file: 'server/src/audit/audit.ts',
      text: "caller && 'hostId' in caller ? caller.name : null",
      replacement: 'null',
      test: '[RCD-03] an unknown user is a person who is unknown; a host PC is called by its name',
    },
  ]),
  ...of('server/src/devices/history.test.ts', [
    {
      file: 'server/migrations/0047-history.sql',
      text: 'select count(*) < 20 from device_event',
      replacement: 'select count(*) < 2000 from device_event',
      test: '[RCD-01] drift of the firmware as well, and so many events of drift a day',
    },
    {
      file: 'server/migrations/0047-history.sql',
      text: '(old.outcome, old.happened_at) is distinct from (new.outcome, new.happened_at)',
      replacement: 'old.outcome is distinct from new.outcome',
      test: '[RCD-01] a reader’s history has its publications with their outcome, failures with their reason, and who published them',
    },
    {
      file: 'server/src/devices/history-sql.ts',
      text: "m.organization_id = ${organizationId} and m.device_serial = ${serialNumber} and m.change_type = 'moveDevice'",
      replacement: 'm.organization_id = ${organizationId} and m.device_serial = ${serialNumber}',
      test: '[RCD-01] what a person has applied again says who, and how it ended',
    },
  ]),
]

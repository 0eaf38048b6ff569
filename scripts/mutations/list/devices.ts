import { type Mutation, of } from './mutation.ts'

/** Lists and counts of devices. */
export const devices: readonly Mutation[] = [
  ...of('server/src/devices/counts.test.ts', [
    {
      file: 'server/src/lib/database/fold.ts',
      text: '    keyNames.map((column) => sql`${sql.ref(`t.${column}`)} =',
      replacement: '    keys.map((column) => sql`${sql.ref(`t.${column}`)} =',
      test: 'a sweep marks each reader that became offline or due, once; a check-in clears the mark',
    },
    {
      file: 'server/src/devices/reports-sql.ts',
      text: 'offline = false, last_seen_at',
      replacement: 'last_seen_at',
      test: 'a sweep marks each reader that became offline or due, once; a check-in clears the mark',
    },
  ]),
  ...of('server/src/devices/download.test.ts', [
    {
      file: 'server/src/devices/found-sql.ts',
      text: 'nullable ? sql`(${key} is null), ` : sql``',
      replacement: 'sql``',
      test: "[API-DEV-03] has the list's filters and sort",
    },
  ]),
  ...of('server/src/devices/drift.test.ts', [
    {
      file: 'server/src/devices/sql.ts',
      text: 'where d.organization_id = ${organizationId} and d.serial_number',
      replacement: 'where d.serial_number',
      test: 'another organization’s reader is unknown, as one that does not exist; one that a path could not name is refused',
    },
    {
      file: 'server/src/devices/devices.ts',
      text: ' || configuration.fileName !== fileName',
      replacement: '',
      test: 'the same bytes under another file name are another configuration',
    },
  ]),
  ...of('server/src/devices/list.test.ts', [
    {
      file: 'server/src/devices/found-sql.ts',
      text: '    [sql<boolean>`d.organization_id = ${organizationId}`, ...(metric',
      replacement: '    [sql<boolean>`true`, ...(metric',
      test: '[API-DEV-02] a search finds the readers in which every word occurs, in any tile and order',
    },
    {
      file: 'server/src/devices/sql.ts',
      text: 'integer(sql`${sum(metric)} + ${writeUnmarked(scope, metric)}`)',
      replacement: 'integer(sum(metric))',
      test: '[LIM-01] offline is over 72 hours, to the minute',
    },
    {
      file: 'server/src/devices/sql.ts',
      text: 'shown: marked + unmarked,',
      replacement: 'shown: marked,',
      test: '[LIM-01] offline is over 72 hours, to the minute',
    },
    {
      file: 'contract/src/devices/devices.ts',
      text: 'offlineHours = 72',
      replacement: 'offlineHours = 71',
      test: '[LIM-01] offline is over 72 hours, to the minute',
    },
    {
      file: 'contract/src/devices/devices.ts',
      text: 'offlineHours = 72',
      replacement: 'offlineHours = 73',
      test: '[LIM-01] offline is over 72 hours, to the minute',
    },
    {
      file: 'contract/src/devices/devices.ts',
      text: 'warrantyMonths = 3',
      replacement: 'warrantyMonths = 2',
      test: '[LIM-03] a warranty is due up to three months from today, and when it has expired',
    },
    {
      file: 'server/src/devices/standing-sql.ts',
      text: 'make_interval(months => ${sql.lit(warrantyMonths)})',
      replacement: 'make_interval(months => ${sql.lit(warrantyMonths)}, days => -1)',
      test: '[LIM-03] a warranty is due up to three months from today, and when it has expired',
    },
    {
      file: 'server/src/devices/page-sql.ts',
      text: 'readInTurn(reading, present, missing)',
      replacement: 'present',
      test: '[DSH-09] readers without a value come last in both directions, on a page from either end',
    },
    {
      file: 'contract/src/devices/devices.ts',
      text: 'lowBatteryPercent = 25',
      replacement: 'lowBatteryPercent = 90',
      test: '[LIM-02] a low battery is under 25 per cent; a reader without one has none',
    },
    {
      file: 'server/src/devices/page-sql.ts',
      text: ' offset ${sql.lit(skip)}`',
      replacement: '`',
      test: '[API-DEV-02] a page is found without those before it; one behind the last is empty and knows the count',
    },
    {
      file: 'server/src/devices/list.ts',
      text: 'if (metrics.length > 1) throw',
      replacement: 'if (metrics.length > 2) throw',
      test: '[API-DEV-02] refuses { onlyOffline: true, …(1) } in words',
    },
    {
      file: 'server/src/lib/database/names.ts',
      text: 'like lower(${pattern})`',
      replacement: 'like ${pattern}`',
      test: '[API-DEV-02] a search ignores case, its wildcards are characters, and readers without a value come last',
    },
    {
      file: 'contract/src/devices/devices.ts',
      text: 'health < lowBatteryPercent',
      replacement: 'health <= lowBatteryPercent',
      test: '[LIM-02] a low battery is under 25 per cent; a reader without one has none',
    },
  ]),
  ...of('server/src/devices/model-totals.test.ts', [
    {
      file: 'server/src/devices/sql.ts',
      text: 'total > 0 and zone_id <> 0',
      replacement: 'total > 0',
      test: 'readers and zones of a model, and how many of them report its newest version, by the order of versions',
    },
    {
      file: 'server/src/devices/sql.ts',
      text: ' and version_order = ${order}',
      replacement: '',
      test: 'readers and zones of a model, and how many of them report its newest version, by the order of versions',
    },
  ]),
  ...of('server/src/hosts/check-in.test.ts', [
    {
      file: 'server/src/devices/reports-sql.ts',
      text: ' and zone_id = ${zoneId} and revoked_at is null',
      replacement: ' and (zone_id = ${zoneId} or zone_id is null)',
      test: '[SES-01] a check-in that began before its host was removed is refused, and nothing of it is stored',
    },
    {
      file: 'server/src/devices/reports-sql.ts',
      text: 'then excluded.last_updated_at else d.last_updated_at end',
      replacement: 'then excluded.last_updated_at else excluded.last_updated_at end',
      test: 'a script is shown by its name; Last Updated moves with configuration and firmware only',
    },
  ]),
]

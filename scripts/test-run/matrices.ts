/**
 * Test files that `npm test -- --all` and CI run, and `npm test` leaves out, by the kind of what they try exhaustively. A file that is named runs in any case.
 * What even `--all` tries only a part of has a command of its own: `checks` in `checks.ts`.
 */
export const onlyInAll: Readonly<Record<string, readonly string[]>> = {
  'Walks over all routes': [
    'e2e/crawl',
    'e2e/screens-calls',
    'e2e/screens-flaws',
    'e2e/screens-layout',
    'e2e/screens-reach',
    'e2e/screen-reader',
  ],
  'Further screens of a noun whose first file npm test has': [
    ...['e2e/barcode-builder', 'e2e/barcode-configuration', 'e2e/barcode-print-paper', 'e2e/barcode-print-save', 'e2e/barcode-read'],
    ...['e2e/devices-page', 'e2e/devices-table', 'e2e/firmware', 'e2e/firmware-wizard', 'e2e/groups-details'],
    ...['e2e/home-installation', 'e2e/library-versions', 'e2e/people-limits', 'e2e/people-organizations', 'e2e/people-passkeys'],
    ...['e2e/products-catalogue', 'e2e/products-details', 'e2e/publications', 'e2e/publications-cfg', 'e2e/publications-dry-run'],
    ...['e2e/publications-looks', 'e2e/publications-many-zones', 'e2e/publications-now', 'e2e/publications-outcomes'],
    ...['e2e/publications-phases', 'e2e/publications-scripts', 'e2e/rollouts-filters', 'e2e/rollouts-many-zones', 'e2e/users-form'],
    'e2e/zones-actions',
  ],
  'Further states of session, connection and frame': [
    ...['e2e/session-drafts', 'e2e/session-external-issuer', 'e2e/session-popup-sign-in', 'e2e/session-stored-token'],
    ...[
      'e2e/session-token-retrieval',
      'e2e/shell-focus',
      'e2e/shell-offline',
      'e2e/shell-top-bar',
      'e2e/first-load',
      'e2e/monitoring-server',
    ],
  ],
  'The agent’s demo, recipe and crashes': ['e2e/agent-crash', 'e2e/agent-demo', 'e2e/agent-readme'],
  'What statements cost as tables grow': [
    ...['server/src/audit/buffers', 'server/src/cases/buffers', 'server/src/devices/buffers', 'server/src/licences/buffers'],
    ...['server/src/organizations/buffers', 'server/src/rollouts/buffers', 'server/src/rollouts/list/list-buffers'],
    ...['server/src/devices/list', 'server/src/hosts/moves', 'server/src/lib/database/layout'],
  ],
  'Random and exhaustive input': [
    ...['server/src/access', 'server/src/audit/folded', 'server/src/groups/delete-group', 'server/src/lib/http/refused-bodies'],
    ...['server/src/api/fuzz', 'server/src/row-security', 'server/src/devices/counts', 'server/src/organizations/counts'],
    ...['server/src/rollouts/sums', 'server/src/graphs/rows', 'server/src/identity/guesses', 'server/src/barcode-settings/report'],
    ...['contract/src/barcode/selection', 'contract/src/publications/script/check-script'],
  ],
  'Clusters, migrations and backups of their own': [
    ...['server/src/postgres/cluster', 'server/src/postgres/listening', 'server/src/postgres/watch', 'server/src/archive/archive'],
    ...[
      'server/src/lib/database/migrate',
      'server/src/lib/database/outage',
      'server/src/open-database',
      'server/src/identity/signing-keys',
    ],
  ],
}

const listed = Object.values(onlyInAll).flat()

/** Globs of the files that a run of `npm test` leaves out. Each is one file: `e2e/publications` is not `e2e/publications-now`. */
export const leftOut: readonly string[] = listed.map((file) => `**/${file}.{test.ts,test.tsx,e2e.ts}`)

/** Whether only a part of the tests runs: `npm test` says so. */
export const isPart = process.env.LECTERN_TEST_PART === '1'

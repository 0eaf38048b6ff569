import type { Mutation } from './by-hand.ts'

/** What is asked of the database, and what it keeps. */
export const database: readonly Mutation[] = [
  {
    file: 'server/src/zones/sql.ts',
    text: "select(['id', 'name']).where('organization_id', '=', organizationId)",
    replacement: "select(['id', 'name'])",
    testFile: 'server/src/zones/zones.test.ts',
    test: "[API-LOC-03 PER-20] deletes no other organization's zone, and nothing that is no id",
  },
  {
    file: 'server/src/publications/sql.ts',
    text: 'coalesce(max(revision), 0) + 1',
    replacement: 'coalesce(max(revision), 1) + 1',
    testFile: 'server/src/publications/publish.test.ts',
    test: '[API-LOC-05 ENT-25 PUB-11 PUB-13] publishes a CFG: one desired configuration with revision, hash, update time and publisher',
  },
  {
    file: 'server/src/publications/sql.ts',
    text: "    .where('id', '=', zoneId)\n    .forNoKeyUpdate()",
    replacement: "    .where('id', '=', zoneId)",
    testFile: 'server/src/publications/publish.test.ts',
    test: '[PUB-11] revisions under twenty publishes at once have no gap and no twin, and the last one is desired',
  },
  {
    file: 'server/src/hosts/sql.ts',
    text: "where('zone_id', '=', zoneId).where('content_hash', '=', hash)",
    replacement: "where('content_hash', '=', hash)",
    testFile: 'server/src/hosts/content.test.ts',
    test: 'a host gets the contents of its own zone only',
  },
  {
    file: 'server/src/lib/database/stored-replies.ts',
    text: "interval '24 hours'",
    replacement: "interval '25 hours'",
    testFile: 'server/src/lib/http/idempotency.test.ts',
    test: 'a reply is stored for 24 hours, swept or not',
  },
  {
    file: 'contract/src/devices/devices.ts',
    text: 'health < lowBatteryPercent',
    replacement: 'health <= lowBatteryPercent',
    testFile: 'server/src/devices/list.test.ts',
    test: '[LIM-02] a low battery is under 25 per cent; a reader without one has none',
  },
  {
    file: 'server/migrations/0017-firmware-drift.sql',
    text: 'firmware_drifted = firmware_drifted and not of_firmware',
    replacement: 'firmware_drifted = firmware_drifted',
    testFile: 'server/src/devices/drift.test.ts',
    test: 'configuration and firmware drift apart: a reader with both has drifted once, and a publish of one leaves the other',
  },
]

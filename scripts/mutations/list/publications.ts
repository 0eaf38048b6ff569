import { type Mutation, of } from './mutation.ts'

/** What is published, and what a zone desires. */
export const publications: readonly Mutation[] = [
  ...of('server/src/publications/publish-to-zones.test.ts', [
    {
      file: 'server/src/publications/publish-to-zones.ts',
      text: 'if (missing) throw new Problem(403, `This needs the permission ${quotePermissions([missing])}.`)\n',
      replacement: '',
      test: '[MNY-02] configuration needs manage:cfg, firmware manage:firmware',
    },
    {
      file: 'server/src/publications/zone-choice-sql.ts',
      text: 'and ${isInZones(scope, sql`z.id`)} and ${isChosen(scope, choice)}',
      replacement: 'and ${isChosen(scope, choice)}',
      test: '[MNY-02 PPL-04] a role limited to zones publishes to these alone',
    },
  ]),
  ...of('server/src/publications/scripts.test.ts', [
    {
      file: 'server/src/publications/scripts.ts',
      text: 'if (refusal !== null) throw new Problem(400, refusal)',
      replacement: '',
      test: '[DRY-03] a script with no handler is refused, and nothing of it is published',
    },
    {
      file: 'server/src/publications/scripts.ts',
      text: '`organization ${params.organizationId}`',
      replacement: "'all'",
      test: '[DRY-03] while a script loops, the server responds, and another organization publishes',
    },
    {
      file: 'server/src/lib/http/router.ts',
      text: 'await preparations.get(handler)?.(call as never)',
      replacement: '[]',
      test: '[DRY-03] a script with a loop is refused, and nothing of it is published',
    },
  ]),
  ...of('server/src/lib/worker-pool.test.ts', [
    {
      file: 'server/src/lib/worker-pool.ts',
      text: '(lane) => !running.has(lane)',
      replacement: '() => true',
      test: 'a lane has one thread at most, so that another one finds a thread',
    },
    {
      file: 'server/src/lib/worker-pool.ts',
      text: 'line.moveToEnd(lane)',
      replacement: '',
      test: 'lanes take turns, however many jobs one of them has',
    },
    {
      file: 'server/src/lib/worker-pool.ts',
      text: 'line.count(lane) >= waiting.lane || ',
      replacement: '',
      test: 'so many jobs of a lane wait, and so many of all',
    },
    {
      file: 'server/src/lib/worker-pool.ts',
      text: '      leave()\n',
      replacement: '',
      test: 'a job that is given up while it waits makes room, and is never read',
    },
  ]),
  ...of('contract/src/publications/script/check-script.test.ts', [
    {
      file: 'contract/src/publications/script/sandbox.ts',
      text: "if (isFull) return 'memory'",
      replacement: '',
      test: '[DRY-03] hostile: memory whose end is caught',
    },
    {
      file: 'contract/src/publications/script/script-run.ts',
      text: "return 'promise'",
      replacement: "return { type: 'object' }",
      test: '[DRY-03] hostile: a promise',
    },
    {
      file: 'contract/src/publications/script/script-run.ts',
      text: "setUp(`${handlerNames.join(' = ')} = null`)",
      replacement: '',
      test: '[DRY-03] a handler may be assigned in strict code',
    },
  ]),
  ...of('server/src/contents/contents.test.ts', [
    {
      file: 'server/src/contents/sql.ts',
      text: 'and not exists (select from firmware_release where content_hash = hash)',
      replacement: '',
      test: 'what no transaction has come to need is removed; what a zone or a release has stays',
    },
    {
      file: 'server/src/contents/sql.ts',
      text: 'content_hash = hash and zone_id is not null)',
      replacement: 'content_hash = hash)',
      test: 'the file of a refused upload, of a deleted zone and of a deleted release are removed',
    },
  ]),
  ...of('server/src/devices/drift.test.ts', [
    {
      file: 'server/migrations/0042-zone-tags.sql',
      text: 'firmware_drifted = firmware_drifted and not of_firmware',
      replacement: 'firmware_drifted = firmware_drifted',
      test: 'configuration and firmware drift apart: a reader with both has drifted once, and a publish of one leaves the other',
    },
  ]),
  ...of('server/src/publications/publish-firmware.test.ts', [
    {
      file: 'server/src/firmware/firmware.ts',
      text: 'if (!release.is_offered) throw',
      replacement: 'if (false) throw',
      test: 'a withdrawn version is not published any more; zones that have it keep it',
    },
    {
      file: 'server/src/firmware/sql.ts',
      text: "query.where('is_offered', '=', true).orderBy(latest)",
      replacement: 'query.orderBy(latest)',
      test: '[FRM-18] latest is the newest version when it is published, in the audit log too',
    },
  ]),
  ...of('server/src/firmware/releases.test.ts', [
    {
      file: 'server/src/firmware/sql.ts',
      text: "split_part(version_sort, ' ', 1) like '%!%', split_part(version_sort, ' ', 1) collate",
      replacement: "split_part(version_sort, ' ', 1) collate",
      test: '[RIT-09] the latest is no pre-release unless nothing else is offered; of equals it is the one offered last',
    },
    {
      file: 'server/src/firmware/releases.ts',
      text: 'if (is_offered) throw',
      replacement: 'if (false) throw',
      test: 'a release is deleted once it was withdrawn, and then its version may be uploaded anew',
    },
  ]),
  ...of('server/src/publications/readers/device-configuration.test.ts', [
    {
      file: 'server/src/publications/readers/reapplications.ts',
      text: 'if (!isNew) return { message }',
      replacement: '',
      test: 'a reader that drifted is asked for once, however often and by however many it is pressed',
    },
  ]),
  ...of('server/src/publications/publish.test.ts', [
    {
      file: 'server/src/publications/publications.ts',
      text: 'if (at_once) return published_at < now ? published_at : now',
      replacement: 'if (at_once) return published_at',
      test: '[NOW-01] it does not wait where the database’s clock is ahead',
    },
    {
      file: 'server/src/publications/sql.ts',
      text: "    .where('organization_id', '=', scope.organizationId)\n    .where(isInZones(scope, sql`id`))\n    .where('public_id', '=', publicId)\n    .forNoKeyUpdate()",
      replacement: "    .where(isInZones(scope, sql`id`))\n    .where('public_id', '=', publicId)\n    .forNoKeyUpdate()",
      test: "[API-LOC-05 PER-20] refuses another organization's zone, and one that was deleted, in words",
    },
  ]),
  ...of('server/src/rollouts/safety-limit.test.ts', [
    {
      file: 'server/src/publications/sql.ts',
      text: "halt_above_percent: selectFrom('organization').select('halt_above_percent').where('id', '=', rollout.organization_id),",
      replacement: 'halt_above_percent: null,',
      test: '[PUB-15] a rollout keeps the limit that its organization had when it was published, one that rolls back too',
    },
  ]),
  ...of('server/src/rollouts/stop-time.test.ts', [
    {
      file: 'server/src/publications/publications.ts',
      text: 'row.at_once ? null : row.stop_time',
      replacement: 'row.stop_time',
      test: '[PUB-15] a later rollout gets the stop time of its organization; rolled back at once it waits for none',
    },
  ]),
]

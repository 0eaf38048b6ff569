import type { Mutation } from './by-hand.ts'

const [rolloutTests, limitTests] = ['server/src/rollouts/rollouts.test.ts', 'server/src/rollouts/safety-limit.test.ts']

/** What a rollout does to readers, and when it stops. */
export const rollouts: readonly Mutation[] = [
  {
    file: 'server/src/rollouts/halts-sql.ts',
    text: 'z.failed * 100 > r.halt_above_percent',
    replacement: 'z.failed * 100 >= r.halt_above_percent',
    testFile: limitTests,
    test: '[PUB-15] a zone halts automatically when more of its readers failed than the limit allows, and not when as many did; the others go on',
  },
  {
    file: 'server/src/rollouts/halts-sql.ts',
    text: "    .where('id', 'in', db.selectFrom('publication').select('rollout_id').where('id', 'in', publications))\n    .orderBy('id')\n    .forNoKeyUpdate()",
    replacement:
      "    .where('id', 'in', db.selectFrom('publication').select('rollout_id').where('id', 'in', publications))\n    .orderBy('id')",
    testFile: limitTests,
    test: '[PUB-15] of two reports at the same moment that only together exceed the limit, the later one halts the zone',
  },
  {
    file: 'server/src/rollouts/halts-sql.ts',
    text: 'having bool_or(p.halted_at is null)',
    replacement: '',
    testFile: limitTests,
    test: '[PUB-15] what was halted by hand is not halted by the limit as well, and who resumes it has seen what failed',
  },
  {
    file: 'server/src/publications/sql.ts',
    text: "halt_above_percent: selectFrom('organization').select('halt_above_percent').where('id', '=', rollout.organization_id),",
    replacement: 'halt_above_percent: null,',
    testFile: limitTests,
    test: '[PUB-15] a rollout keeps the limit that its organization had when it was published, one that rolls back too',
  },
  {
    file: 'server/src/rollouts/readers-sql.ts',
    text: "and o.outcome = 'failed' and o.is_here",
    replacement: 'and o.is_here',
    testFile: rolloutTests,
    test: '[PUB-15] failed readers are retried: they wait, and are applied or failed as it turns out',
  },
  {
    file: 'server/src/rollouts/halts-sql.ts',
    text: 'halt ? sql`now()` : sql`null`',
    replacement: 'sql`now()`',
    testFile: rolloutTests,
    test: '[PUB-15] halting notifies hosts that no other reader may start, resuming that they may; a new publish is not halted',
  },
  {
    file: 'server/src/publications/sql.ts',
    text: 'replaced_readers = gone + coalesce(',
    replacement: 'replaced_readers = coalesce(',
    testFile: rolloutTests,
    test: '[PUB-15] a reader that was served and has left still counts when something newer is published',
  },
  {
    file: 'server/src/rollouts/changes.ts',
    text: 'atOnce: updateTime === null',
    replacement: 'atOnce: false',
    testFile: 'server/src/rollouts/stop-time.test.ts',
    test: '[PUB-15] a later rollout gets the stop time of its organization; rolled back at once it waits for none',
  },
]

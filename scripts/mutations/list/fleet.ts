import { type Mutation, of } from './mutation.ts'

/** Named configurations, what a publish would do, and readers that begin in phases. */
export const fleet: readonly Mutation[] = [
  ...of('server/src/library/versions.test.ts', [
    {
      file: 'server/src/library/sql.ts',
      text: '    .values({ ...key, ...stored, created_by: userId })\n    .execute()\n',
      replacement:
        "    .values({ ...key, ...stored, created_by: userId })\n    .execute()\n  await db.updateTable('saved_version').set(stored).where('configuration_id', '=', id).execute()\n",
      test: '[NAM-04] a new version stands beside the earlier ones, which never change; the same content makes none',
    },
    {
      file: 'server/src/library/library.ts',
      text: 'if (newest?.kind === kind && newest.content_hash === content_hash && newest.file_name === file_name)',
      replacement: 'if (newest === undefined)',
      test: '[NAM-04] a new version stands beside the earlier ones, which never change; the same content makes none',
    },
  ]),
  ...of('server/src/publications/library.test.ts', [
    {
      file: 'server/src/library/library.ts',
      text: '  if (entry.device !== model)',
      replacement: "  if (entry.device === '')",
      test: '[NAM-02] a version that was deleted since it was chosen, or is for another model, is refused with a sentence',
    },
  ]),
  ...of('agent/src/drivers/serial/commands.test.ts', [
    {
      file: 'agent/src/drivers/serial/command-dialect.ts',
      text: 'if (Buffer.compare(before, after) === 0)',
      replacement: 'if (after.length === 0)',
      test: '[NAM-02] a reader of the seven models > that prints the same configuration afterwards fails, as no response to a setting is published',
    },
    {
      file: 'agent/src/steps/steps.ts',
      text: "  if (!canTake(reader, assignment.kind)) return { to: 'failed', reason: describeImpossible(assignment.kind), code: 'notPossible' }\n",
      replacement: '',
      test: '[NAM-02] a reader of the seven models > [SER-01] fails at once, with its own code, where no published command gives it the content',
    },
  ]),
  ...of('contract/src/publications/dry-run.test.ts', [
    {
      file: 'contract/src/publications/dry-run.ts',
      text: '    counts[verdict] += group.readers\n',
      replacement: '    counts[verdict] += group.readers\n    if (group.isSilent && group.isBatteryLow) counts.battery += group.readers\n',
      test: '[DRY-01] every reader is counted once, however they are grouped',
    },
  ]),
  ...of('server/src/publications/preview.test.ts', [
    {
      file: 'server/src/publications/preview-sql.ts',
      text: ' or zone_id = any(${page}::int[])`',
      replacement: '`',
      test: '[DRY-01] counts per zone and model who changes, matches, is missing or cannot take it and why, and stores nothing',
    },
    {
      file: 'server/src/lib/database/same-content.ts',
      text: ' and ${sql.ref(`${reported.configuration}.label`)} = ${label}',
      replacement: '',
      test: '[DRY-01] counts per zone and model who changes, matches, is missing or cannot take it and why, and stores nothing',
    },
    {
      file: 'server/src/publications/preview.ts',
      text: '  if (missing) throw new Problem(403, `This needs the permission ${quotePermissions([missing])}.`)\n',
      replacement: '',
      test: '[DRY-01] refuses what a publish refuses, and shows a role limited to zones these alone',
    },
  ]),
  ...of('server/src/phases/phases.test.ts', [
    {
      file: 'server/src/phases/phases.ts',
      text: "  if (hasTooManyFailed(phase)) return halt(db, rollout, phase, 'failed')\n",
      replacement: '',
      test: '[PHA-01 PHA-03] a gate halts all zones with the report that goes beyond it, once; resumed, the phase goes on and the next begins by hand',
    },
    {
      file: 'server/src/phases/phases.ts',
      text: '  if (!current?.has_soaked || isByHand(current)) return null',
      replacement: '  if (!current?.done_at || isByHand(current)) return null',
      test: '[PHA-01] the next phase waits for the soak time, and starts again if a reader is tried again meanwhile; silent readers count at the gate',
    },
    {
      file: 'server/src/phases/phases.ts',
      text: "  if (isBeyond(current.silent, current, current.max_silent_percent)) return halt(db, rollout, current, 'silent')\n",
      replacement: '',
      test: '[PHA-01] the next phase waits for the soak time, and starts again if a reader is tried again meanwhile; silent readers count at the gate',
    },
    {
      file: 'server/src/phases/phases.ts',
      text: '  if (phase.started_at !== null) return null\n',
      replacement: '',
      test: '[PHA-01] a gate by hand waits for somebody who may publish; two calls begin the phase once, and it can be started past a gate',
    },
    {
      file: 'server/src/publications/publications.ts',
      text: 'admitted: row.admitted_end === null || row.admitted_end === positionCount ? null :',
      replacement: 'admitted: row.admitted_end !== 0 ? null :',
      test: '[PHA-01] readers of the first phase begin, and the next phase begins once they are done; both sides compute the same readers',
    },
    {
      file: 'server/src/publications/publications.ts',
      text: ' || (!knowsPhases && !row.is_in_last_phase)',
      replacement: '',
      test: '[PHA-01] chosen zones begin first; readers of an agent that knows no phases are in the last one',
    },
  ]),
  ...of('server/src/phases/small-shares.test.ts', [
    {
      file: 'server/src/phases/phases.ts',
      text: '  if (await isHaltedByHand(db, rollout)) return null\n',
      replacement: '',
      test: '[PHA-01] while users have halted all of a rollout its gate begins no phase, even past the soak time; once resumed it does',
    },
    {
      file: 'server/src/phases/sql.ts',
      text: 'h.id = d.host_id and h.knows_phases\n',
      replacement: 'h.id = d.host_id\n',
      test: '[PHA-01] a first phase without readers waits for the first that comes, then for that one',
    },
  ]),
  ...of('agent/src/steps/phases.test.ts', [
    {
      file: 'agent/src/steps/update.ts',
      text: 'isAdmitted(assignment.admitted, serialNumber)',
      replacement: "isAdmitted(assignment.admitted, serialNumber) || serialNumber !== ''",
      test: '[PHA-01] only readers whose phase has started begin, whatever the clock says and after a restart; the others when the server says so',
    },
  ]),
  ...of('server/src/phases/small-shares.test.ts', [
    {
      file: 'server/src/phases/phases.ts',
      text: 'startsAgain && isUntried(phases) ?',
      replacement: 'false ?',
      test: '[PHA-01] a share that grew for the few readers of a first call is what was chosen again when another brings many',
    },
  ]),
  ...of('server/src/phases/gate-halts.test.ts', [
    {
      file: 'server/src/phases/phases.ts',
      text: ' && !(phase.silent > 0 && (await waitsForTime(db, rollout, phase.number)))',
      replacement: '',
      test: '[PHA-01] readers that are silent before the time of the run do not decide at a gate until it has come',
    },
  ]),
]

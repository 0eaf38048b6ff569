import { type Mutation, of } from './mutation.ts'

/** What a rollout does to readers, and when it stops. */
export const rollouts: readonly Mutation[] = [
  ...of('contract/src/rollouts/rollouts.test.ts', [
    {
      file: 'contract/src/rollouts/rollouts.ts',
      text: 'RolloutState.options.find(',
      replacement: 'RolloutState.options.findLast(',
      test: 'of several parts the state that matters most counts',
    },
    {
      file: 'contract/src/rollouts/rollouts.ts',
      text: "'manage:firmware' : 'manage:cfg'",
      replacement: "'manage:cfg' : 'manage:cfg'",
      test: 'each kind of content has its permission',
    },
  ]),
  ...of('server/src/rollouts/parts.test.ts', [
    {
      file: 'server/src/rollouts/list/list-sql.ts',
      text: 'sql`r.organization_id = ${organizationId}`',
      replacement: 'sql`true`',
      test: "[PER-20] another organization's rollout is one that does not exist, and stays as it is",
    },
    {
      file: 'server/src/rollouts/sql.ts',
      text: 'where id = ${id} and organization_id = ${scope.organizationId}',
      replacement: 'where id = ${id}',
      test: "[PER-20] another organization's rollout is one that does not exist, and stays as it is",
    },
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: 'and p.replaced_at is null and (p.halted_at is null)',
      replacement: 'and (p.halted_at is null)',
      test: '[PUB-15] halting leaves what something newer has replaced as it is',
    },
    {
      file: 'server/src/rollouts/parts-sql.ts',
      text: 'and host.zone_id = p.zone_id and revoked_at is null',
      replacement: 'and host.zone_id = p.zone_id',
      test: '[PUB-15] a removed host PC gives its zone neither a clock nor a connection',
    },
    {
      file: 'server/src/rollouts/parts-sql.ts',
      text: "    and not ${isReaderSilent(organizationId, 'd', 'own')} and not ${hasOutcome}`",
      replacement: '    and not ${hasOutcome}`',
      test: '[PUB-15] a reader that went silent during its download is silent',
    },
  ]),
  ...of('server/src/rollouts/parts.test.ts', [
    {
      file: 'server/src/rollouts/parts-sql.ts',
      text: 'and p.names_zone and ${isZoneNamed',
      replacement: 'and ${isZoneNamed',
      test: '[PUB-15] the zones of a rollout come in pages by their names, each with all its models, and are found by a part of the name',
    },
    {
      file: 'server/migrations/0058-returns.sql',
      text: 'sum(one * (failed - failed_gone) * (not is_replaced)::int)::int',
      replacement: 'sum(one * failed * (not is_replaced)::int)::int',
      test: '[PUB-15] a reader that leaves its zone while it is retried has failed',
    },
  ]),
  ...of('server/src/rollouts/zones/zone-pages.test.ts', [
    {
      file: 'server/src/rollouts/zones/states-sql.ts',
      text: 'coalesce(present.total, p.present)',
      replacement: 'p.present',
      test: '[MNY-04] the zones of a rollout are narrowed to a state, as it is shown, and to a name as well',
    },
    {
      file: 'server/src/rollouts/zones/zone-pages.ts',
      text: '(isDescending ? count(other) - count(one) : count(one) - count(other))',
      replacement: 'count(one) - count(other)',
      test: '[MNY-04] they are sorted by name, by how many failed and by how many are left, each with all its models',
    },
  ]),
  ...of('server/src/rollouts/list/list.test.ts', [
    {
      file: 'server/src/rollouts/list/list-sql.ts',
      text: 'sql`r.published_at < ${to}::timestamptz`',
      replacement: 'sql`r.published_at <= ${to}::timestamptz`',
      test: '[MNY-05] rollouts are found by what they hold and where, by who published them and when, and by all of these together',
    },
    {
      file: 'server/src/rollouts/list/list.ts',
      text: "filter === 'underWay' ? state !== 'halted' : state === filter",
      replacement: 'state === filter',
      test: '[MNY-05] rollouts are narrowed to a state, each to those that show it; failed readers are found whatever the state',
    },
  ]),
  ...of('server/src/rollouts/reader-pages.test.ts', [
    {
      file: 'server/src/rollouts/reader-pages-sql.ts',
      text: 'containsPattern(text))',
      replacement: 'text)',
      test: '[PUB-15] of readers whose number is not kept a hundred are counted, of few all',
    },
  ]),
  ...of('server/src/rollouts/rollouts.test.ts', [
    {
      file: 'server/src/rollouts/parts.ts',
      text: "if (!row.is_online) return 'waitingForHost'",
      replacement: '',
      test: '[PUB-15] what a rollout waits for has a name: no host PC, an update time to come, no reader, a zone that is gone',
    },
    {
      file: 'server/src/rollouts/changes.ts',
      text: 'part.replaced_at === null && part.zone_id !== null',
      replacement: 'part.zone_id !== null',
      test: '[PUB-15] a newer publish ends a rollout: who was not served is replaced, not waiting for ever; what comes late still counts',
    },
    {
      file: 'server/src/rollouts/readers-sql.ts',
      text: "and o.outcome = 'failed' and o.is_here",
      replacement: 'and o.is_here',
      test: '[PUB-15] failed readers are retried: they wait, and are applied or failed as it turns out',
    },
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: 'userId === null ? sql`null` : sql`now()`',
      replacement: 'sql`now()`',
      test: '[PUB-15] halting notifies hosts that no other reader may start, resuming that they may; a new publish is not halted',
    },
  ]),
  ...of('server/src/rollouts/safety-limit.test.ts', [
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: 'and p.rollout_id = ${id} and p.replaced_at is null\n        )) as is_halting',
      replacement: 'and p.rollout_id = ${id}\n        )) as is_halting',
      test: '[PUB-15] a halted zone for which something newer was published is still shown, and is no longer to be resumed',
    },
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: 'and z.failed * 100 > r.halt_above_percent * z.readers',
      replacement: '',
      test: '[PUB-15] a zone halts automatically when more of its readers failed than the limit allows, and not when as many did; the others go on',
    },
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: 'set is_resumed = true, at = now()',
      replacement: 'set at = now()',
      test: '[PUB-15] who resumes goes past the limit: that zone is not halted by it again until the limit is changed',
    },
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: "    .where('rollout_id', '=', id)\n    .where('is_resumed', '=', true)",
      replacement: "    .where('rollout_id', '=', id)",
      test: '[PUB-15] a zone is halted once, whoever reports, retries or changes the limit at the same moment',
    },
    {
      file: 'server/migrations/0045-phases.sql',
      text: ' and not h.is_resumed',
      replacement: '',
      test: '[PUB-15] who resumes goes past the limit: that zone is not halted by it again until the limit is changed',
    },
    {
      file: 'server/src/rollouts/changes.ts',
      text: 'if (missing) throw',
      replacement: 'if (false) throw',
      test: '[PUB-15] who may not publish what a rollout holds does not set its limit, and a limit is a whole percentage',
    },
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: 'z.failed * 100 > r.halt_above_percent',
      replacement: 'z.failed * 100 >= r.halt_above_percent',
      test: '[PUB-15] a zone halts automatically when more of its readers failed than the limit allows, and not when as many did; the others go on',
    },
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: "    .orderBy('id')\n    .forNoKeyUpdate()",
      replacement: "    .orderBy('id')",
      test: '[PUB-15] of two reports at the same moment that only together exceed the limit, the later one halts the zone',
    },
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: 'having bool_or(p.halted_at is null)',
      replacement: '',
      test: '[PUB-15] what was halted by hand is not halted by the limit as well, and who resumes it has seen what failed',
    },
  ]),
  ...of('server/src/rollouts/moves.test.ts', [
    {
      file: 'server/src/rollouts/moves.ts',
      text: 'current.filter(({ public_zone_id }) => zones.includes(public_zone_id))',
      replacement: 'current',
      test: '[NOW-04] one zone is moved to another day, the other stays; the same again leaves no second entry',
    },
  ]),
  ...of('server/src/schedule/schedule.test.ts', [
    {
      file: 'server/src/schedule/schedule.ts',
      text: 'if (isSame(current, schedule)) return current',
      replacement: '',
      test: '[NOW-05] a run that waits moves to the next window, its hosts are sent the windows, and the audit log has a sentence',
    },
  ]),
  ...of('server/src/calendar/calendar.test.ts', [
    {
      file: 'server/src/rollouts/zones/waiting-sql.ts',
      text: 'zoneId === undefined ? sql`true` : sql`q.zone_id = ${zoneId}`',
      replacement: 'sql`true`',
      test: '[NOW-05] coming runs are shown by day and rollout, filtered by zone; a moved zone is on its new day',
    },
    {
      file: 'server/src/rollouts/zones/waiting-sql.ts',
      text: 'and not h.is_resumed',
      replacement: 'and h.is_resumed',
      test: '[NOW-05] a zone that the safety limit has halted has no coming run until it is resumed',
    },
    {
      file: 'server/src/rollouts/zones/waiting-sql.ts',
      text: ' and revoked_at is null and zone_id is not null',
      replacement: ' and zone_id is not null',
      test: '[NOW-05] the clock of a host PC that was removed gives no run',
    },
    {
      file: 'server/src/calendar/calendar.ts',
      text: "running.filter(({ phased_id }) => !phaseWaits.has(phased_id ?? ''))",
      replacement: 'running',
      test: '[RIT-06] a zone that waits for its phase is on no day, and named with the phase and who begins it',
    },
    {
      file: 'server/src/phases/phases.ts',
      text: 'rows.filter(isByHand)',
      replacement: 'rows',
      test: '[RIT-06] a zone that waits for its phase is on no day, and named with the phase and who begins it',
    },
  ]),
  ...of('server/src/rollouts/limited-roles.test.ts', [
    {
      file: 'server/src/rollouts/changes.ts',
      text: 'rollout.hasOtherZones ? formatNames(zones, zonesInEntry)',
      replacement: 'false ? formatNames(zones, zonesInEntry)',
      test: '[RIT-06] what a role that is limited to zones halts, resumes and rolls back is recorded as its part, and of all zones as the whole',
    },
    {
      file: 'server/src/rollouts/changes.ts',
      text: 'rollout.hasOtherZones ? rollout.parts.filter(({ zone_id }) => zone_id !== null && zones.has(zone_id)) : rollout.parts',
      replacement: 'rollout.parts',
      test: '[RIT-06] what a role that is limited to zones halts, resumes and rolls back is recorded as its part, and of all zones as the whole',
    },
  ]),
  ...of('server/src/rollouts/stop-time.test.ts', [
    {
      file: 'server/src/rollouts/changes.ts',
      text: 'if (isNewTime) await notifyHosts(call, zones)',
      replacement: '',
      test: '[PUB-15] hosts receive the stop time of a rollout, and each change; the audit log says what was set',
    },
  ]),
  ...of('server/src/rollouts/moves.test.ts', [
    {
      file: 'server/src/schedule/schedule.ts',
      text: 'if (hasPhases && isRestricted(open_times))',
      replacement: 'if (false)',
      test: '[NOW-05 PHA-01] "now" in phases asks also within a window, as later phases would not keep to it',
    },
    {
      file: 'server/src/schedule/schedule.ts',
      text: 'if (hasPhases && isRestricted(open_times))',
      replacement: 'if (hasPhases && open_times.windows.length > 0)',
      test: '[NOW-05 PHA-01] "now" in phases asks also where there are blocked days alone',
    },
    {
      file: 'server/src/schedule/schedule.ts',
      text: 'time_zones.find((each)',
      replacement: 'time_zones.slice(0, 1).find((each)',
      test: '[NOW-05] "now" asks where it is outside the windows on any of the clocks of a zone',
    },
  ]),
  ...of('server/src/phases/limited-roles.test.ts', [
    {
      file: 'server/src/rollouts/gates.ts',
      text: 'if (rollout.hasOtherZones) throw',
      replacement: 'if (false) throw',
      test: '[PPL-04 PHA-01] a role limited to zones begins no phase that also holds for others',
    },
    {
      file: 'server/src/phases/sql.ts',
      text: 'and p.names_zone\n          and ${isInZones({ zones }, sql`p.zone_id`)}',
      replacement: 'and p.names_zone',
      test: '[PPL-04 PHA-01] each phase has its own chosen zones, of which a role limited to zones sees its own alone',
    },
    {
      file: 'server/src/devices/history-sql.ts',
      text: 'o.device_id = ${deviceId} and ${isShown(sql`o.publication_id`)} and not exists',
      replacement: 'o.device_id = ${deviceId} and not exists',
      test: '[PPL-04 RCD-01] of a reader that came from another zone a role limited to zones reads nothing that happened there',
    },
    {
      file: 'server/src/devices/history-sql.ts',
      text: 'v.device_id = ${deviceId} and ${isShown(sql`v.publication_id`)}`',
      replacement: 'v.device_id = ${deviceId}`',
      test: '[PPL-04 RCD-01] of a reader that came from another zone a role limited to zones reads nothing that happened there',
    },
  ]),
  ...of('server/src/phases/kept-figures.test.ts', [
    {
      file: 'server/migrations/0064-phase-of-outcome.sql',
      text: 'coalesce(o.phase, phase_of(r.phase_ends',
      replacement: 'coalesce(null, phase_of(r.phase_ends',
      test: '[RIT-03] kept figures of phases equal a count after outcomes, moves between host PCs, zones and models, retries and removals in any order',
    },
    {
      file: 'server/migrations/0064-phase-of-outcome.sql',
      text: '(a.zone_id, a.device_type, a.host_id) is distinct from',
      replacement: '(a.zone_id, a.device_type) is distinct from',
      test: '[RIT-03] kept figures of phases equal a count after outcomes, moves between host PCs, zones and models, retries and removals in any order',
    },
  ]),
  ...of('server/src/rollouts/rollout-names.test.ts', [
    {
      file: 'server/src/rollouts/list/list-sql.ts',
      text: ' and not ${hasOtherZones(scope)}',
      replacement: '',
      test: '[SEE-05] who sees only some of the zones learns neither other zones nor tags from the words; who sees all of them reads the words',
    },
    {
      file: 'server/src/rollouts/rollouts.ts',
      text: 'row.zone_words !== null && !row.has_other_zones &&',
      replacement: 'row.zone_words !== null &&',
      test: '[SEE-05] who sees only some of the zones learns neither other zones nor tags from the words; who sees all of them reads the words',
    },
    {
      file: 'server/src/rollouts/sql.ts',
      text: 'case when ${hasOtherZones(scope)} then null else r.zone_words end',
      replacement: 'r.zone_words',
      test: '[SEE-05] who sees only some of the zones learns neither other zones nor tags from the words; who sees all of them reads the words',
    },
    {
      file: 'server/src/audit/audit.ts',
      text: 'const isWhole = log.zones === null && rollouts.length > 0',
      replacement: 'const isWhole = rollouts.length > 0',
      test: '[SEE-05] who sees only some of the zones learns neither other zones nor tags from the words; who sees all of them reads the words',
    },
    {
      file: 'server/src/rollouts/changes.ts',
      text: "if (rollout.hasOtherZones) throw new Problem(403, 'Your role is limited to zones. The name",
      replacement: "if (false) throw new Problem(403, 'Your role is limited to zones. The name",
      test: '[SEE-05] a rollout is named by who publishes it and renamed by who may publish it, which the audit log has; its name is found',
    },
  ]),
  ...of('server/src/rollouts/repairs.test.ts', [
    {
      file: 'server/src/publications/readers/repairs.ts',
      text: 'if (expected && !isDeepStrictEqual(',
      replacement: 'if (false && !isDeepStrictEqual(',
      test: '[SEE-03] a retry has a dry run by model: who gets it, runs it already, is missing, silent or cannot take it; other counts by then are refused',
    },
    {
      file: 'server/src/rollouts/readers-sql.ts',
      text: 'and not o.retrying and ${isInZones({ zones }, sql`p.zone_id`)}`',
      replacement: 'and not o.retrying`',
      test: '[SEE-03] a retry has a dry run by model: who gets it, runs it already, is missing, silent or cannot take it; other counts by then are refused',
    },
    {
      file: 'server/src/lib/database/same-content.ts',
      text: '${sql.ref(`${reported.configuration}.content_hash`)} = ${hash} and ',
      replacement: '',
      test: '[SEE-03] a retry has a dry run by model: who gets it, runs it already, is missing, silent or cannot take it; other counts by then are refused',
    },
    {
      file: 'server/src/publications/readers/device-content.ts',
      text: '  await requireShown(db, toRepair(call, row), expected)\n',
      replacement: '',
      test: '[SEE-03] a re-apply has a dry run of its reader; what changed since is refused, as is what may not be re-applied',
    },
  ]),
]

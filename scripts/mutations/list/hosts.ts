import { type Mutation, of } from './mutation.ts'

/** What host PCs report and receive, and their zones. */
export const hosts: readonly Mutation[] = [
  ...of('server/src/hosts/check-in.test.ts', [
    {
      file: 'contract/src/http/check-each.ts',
      text: 'if (parsed.success && reason === null) accepted',
      replacement: 'if (parsed.success && refused.length === 0) accepted',
      test: 'a bad reader is refused with its place and the reason; the others are stored',
    },
  ]),
  ...of('server/src/hosts/silent.test.ts', [
    {
      file: 'contract/src/publications/silent.ts',
      text: 'streamClosedSeconds: 90',
      replacement: 'streamClosedSeconds: 100',
      test: '[RIT-05 DRY-01] a host PC is silent once its stream has been closed for 90 seconds, until it checks in or opens one',
    },
    {
      file: 'server/src/lib/database/silent.ts',
      text: ' and ${closedAt} > ${sql.ref(`${host}.last_seen_at`)}',
      replacement: '',
      test: '[RIT-05 DRY-01] a host PC is silent once its stream has been closed for 90 seconds, until it checks in or opens one',
    },
    {
      file: 'contract/src/publications/silent.ts',
      text: 'checkedInMinutes: 2 *',
      replacement: 'checkedInMinutes: 3 *',
      test: '[RIT-05 DRY-01] a host PC that has missed two check-ins is silent, with or without a stream',
    },
    {
      file: 'contract/src/publications/silent.ts',
      text: 'outageMinutes: checkInMinutes',
      replacement: 'outageMinutes: 0',
      test: '[RIT-05] a restart does not count, however long it was, and for one interval after it nobody is silent',
    },
    {
      file: 'server/src/hosts/streams.ts',
      text: 'await closeStreamsOfStopped(db, server)',
      replacement: '',
      test: '[RIT-05] a short restart gives host PCs an interval to come back',
    },
    {
      file: 'server/migrations/0061-silent.sql',
      text: "coalesce((select sum(length) from measured where taken_since < span), interval '0')",
      replacement: "interval '0'",
      test: '[RIT-05] time in which no server could write to the database does not count',
    },
    {
      file: 'server/src/hosts/streams-sql.ts',
      text: 'and (s.is_new or host.stream_server = ${server})',
      replacement: '',
      test: '[RIT-05] of several servers each knows the streams of the others, and closes those of one that was killed',
    },
    {
      file: 'server/src/hosts/streams.ts',
      text: 'if (wasGivenUp) for',
      replacement: 'if (!wasThere) for',
      test: '[RIT-05] a server that only was slow has its streams open again with its next beat',
    },
    {
      file: 'server/migrations/0061-silent.sql',
      text: ' where of_organization in (0, organization)',
      replacement: '',
      test: '[RIT-05] while check-ins of an organization are refused as too many come, none of its host PCs becomes silent, but those of others do',
    },
  ]),
  ...of('server/src/hosts/content.test.ts', [
    {
      file: 'server/src/lib/http/send-range.ts',
      text: 'Number(last), size - 1)',
      replacement: 'Number(last), size)',
      test: 'returns the range bytes=500-999999999',
    },
    {
      file: 'server/src/lib/http/send-range.ts',
      text: 'Math.max(0, size - Number(last))',
      replacement: '0',
      test: 'returns the range bytes=-50',
    },
    {
      file: 'server/src/lib/http/send-range.ts',
      text: 'ifRange === undefined || ifRange === `"${hash}"`',
      replacement: 'true',
      test: 'If-Range: a range of this content only, else the whole',
    },
    {
      file: 'server/src/hosts/sql.ts',
      text: "    .where('zone_id', '=', zoneId)\n    .where('content_hash', '=', hash)",
      replacement: "    .where('content_hash', '=', hash)",
      test: 'a host gets the contents of its own zone only',
    },
  ]),
  ...of('server/src/hosts/driver.test.ts', [
    {
      file: 'server/src/hosts/hosts.ts',
      text: 'if (production && driver === simulatedDriver)',
      replacement: 'if (false)',
      test: '[AGT-04] in production a simulated host is neither enrolled nor heard',
    },
    {
      file: 'server/src/audit/sql.ts',
      text: 'and d.simulated)',
      replacement: 'and not d.simulated)',
      test: '[AGT-04] an entry of the audit log that names a simulated reader or host is marked, on its page, of its reader and in the CSV file',
    },
    {
      file: 'server/src/zones/zones.ts',
      text: 'simulated: host.driver === simulatedDriver',
      replacement: 'simulated: false',
      test: '[AGT-04] an entry of the audit log that names a simulated reader or host is marked, on its page, of its reader and in the CSV file',
    },
    {
      file: 'server/src/zones/sql.ts',
      text: 'sum(simulated)',
      replacement: 'sum(total)',
      test: '[AGT-04] every count of readers says how many of them are simulated',
    },
    {
      file: 'server/src/rollouts/parts-sql.ts',
      text: 'coalesce(p.simulated, 0) > 0 or',
      replacement: '',
      test: '[AGT-04] a rollout that counts simulated readers is marked, with its part, and what the log says of its failures; after they left too',
    },
    {
      file: 'server/src/identity/identity.ts',
      text: 'refuseSimulated(settings, host,',
      replacement: 'refuseSimulated({ production: false }, host,',
      test: '[AGT-04] in production every call of a host that was stored as simulated is refused before it does anything',
    },
    {
      file: 'server/src/lib/database/silent.ts',
      text: '(${seenAt} is null or ',
      replacement: '(${seenAt} is not null and ',
      test: '[AGT-04] in production a host that listens before it says its driver is not online until a check-in is accepted',
    },
    {
      file: 'server/src/hosts/hosts.ts',
      text: 'simulated: driver === simulatedDriver',
      replacement: 'simulated: false',
      test: '[AGT-04] a host that says that it simulates is marked, and so are its readers, in every answer that names them',
    },
    {
      file: 'server/src/devices/devices.ts',
      text: 'simulated: about.simulated,',
      replacement: 'simulated: true,',
      test: 'a reader that a real host reports later is not simulated any more',
    },
    {
      file: 'server/src/devices/download-sql.ts',
      text: "case when d.simulated then 'Yes' end",
      replacement: 'null',
      test: '[AGT-04] the CSV file of all readers says which are simulated',
    },
    {
      file: 'server/src/rollouts/rollouts.ts',
      text: '...(row.simulated && { simulated: true }),',
      replacement: '',
      test: '[AGT-04] the readers of a rollout are marked',
    },
    {
      file: 'server/src/hosts/hosts.ts',
      text: 'driver: enrollment.driver ?? null',
      replacement: 'driver: null',
      test: '[AGT-04] a driver may be said at enrollment already',
    },
  ]),
  ...of('server/src/hosts/enrollment.test.ts', [
    {
      file: 'server/src/zones/sql.ts',
      text: "    .where('organization_id', '=', scope.organizationId)\n    .where(isInZones(scope, sql`zone_id`))\n    .where('public_id', '=', publicId)\n    .where('revoked_at'",
      replacement: "    .where(isInZones(scope, sql`zone_id`))\n    .where('public_id', '=', publicId)\n    .where('revoked_at'",
      test: "another organization's host cannot be removed",
    },
    {
      file: 'server/src/hosts/sql.ts',
      text: "selectFrom('zone').select(['id', 'name']).where('organization_id', '=', organizationId)",
      replacement: "selectFrom('zone').select(['id', 'name'])",
      test: "a licence opens its organization's zones only; another organization's zone gets the same refusal as an unknown one",
    },
    {
      file: 'server/src/hosts/hosts.ts',
      text: '|| stored.zone_id !== zone.id ',
      replacement: '',
      test: 'sent again it returns the same host; the credential serves no other zone',
    },
    {
      file: 'server/src/hosts/hosts.ts',
      text: '|| stored.revoked_at !== null',
      replacement: '',
      test: 'the credential of a removed host enrolls no host',
    },
  ]),
  ...of('server/src/hosts/events.test.ts', [
    {
      file: 'server/src/hosts/routes.ts',
      text: 'events.subscribe(caller.publicZoneId,',
      replacement: 'events.subscribe(caller.organizationId,',
      test: 'a publish notifies the hosts of its zone, and no other',
    },
    {
      file: 'server/src/hosts/routes.ts',
      text: "'desired', 'hosts', 'reconnected'",
      replacement: "'desired', 'reconnected'",
      test: 'a host that is removed is notified',
    },
  ]),
  ...of('server/src/hosts/firmware-outcomes.test.ts', [
    {
      file: 'server/src/hosts/outcomes.ts',
      text: '.filter(({ isNew }) => isNew)',
      replacement: '',
      test: 'an installed firmware leaves one entry, however often it is reported; a failure none',
    },
    {
      file: 'server/src/hosts/routes.ts',
      text: '|| (await isRelease(db, params.hash))',
      replacement: '',
      test: 'a host receives the releases that its readers run now, and may fetch them to return to',
    },
  ]),
  ...of('server/src/publications/readers/device-configuration.test.ts', [
    {
      file: 'server/src/hosts/sql.ts',
      text: 'and a.outcome is null\n        returning',
      replacement: '\n        returning',
      test: 'a reader that drifted is asked for once, however often and by however many it is pressed',
    },
  ]),
  ...of('server/src/zones/zones.test.ts', [
    {
      file: 'server/src/zones/sql.ts',
      text: ".where('organization_id', '=', organizationId).where('zone_id', '=', zoneId).execute()",
      replacement: ".where('zone_id', '=', zoneId).execute()",
      test: '[API-LOC-03] deletes a zone by id',
    },
    {
      file: 'server/src/zones/sql.ts',
      text: "    .select(['id', 'public_id', 'name', 'note', selectTagNames(scope)])\n    .where('organization_id', '=', scope.organizationId)",
      replacement: "    .select(['id', 'public_id', 'name', 'note', selectTagNames(scope)])",
      test: "[API-LOC-03 PER-20] deletes no other organization's zone, and nothing that is no id",
    },
  ]),
  ...of('server/src/hosts/unchanged.test.ts', [
    {
      file: 'server/src/devices/devices.ts',
      text: 'stored?.isSeenWithHost === true && reportColumns',
      replacement: 'stored === null && reportColumns',
      test: '[SCL-05] a check-in of unchanged readers writes none of them, and they were seen at its time',
    },
    {
      file: 'server/src/devices/devices.ts',
      text: '  if (left) await updateGone(db, host, left)\n',
      replacement: '',
      test: '[SCL-05] a reader that is missing from a check-in keeps the time at which it was seen, and is written once',
    },
    {
      file: 'server/src/devices/devices.ts',
      text: "[since, digest].includes(before.digest ?? '')",
      replacement: 'true',
      test: '[SCL-12] since an earlier check-in > of another digest than the host’s last: no reader is stored, and all are asked for',
    },
    {
      file: 'server/migrations/0027-firmware-totals.sql',
      text: "  c record;\nbegin\n  for c in execute format('select * from (select organization_id, coalesce(zone_id",
      replacement:
        "  c record;\nbegin\n  perform pg_advisory_xact_lock(1);\n  for c in execute format('select * from (select organization_id, coalesce(zone_id",
      test: '[SCL-04] a check-in waits for no other host’s, of its zone or of another organization, not with new readers on a new day either',
    },
  ]),
]

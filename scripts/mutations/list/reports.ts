import { type Mutation, of } from './mutation.ts'

/** What hosts report of readers: outcomes, progress, and readers that turn up at another host. */
export const reports: readonly Mutation[] = [
  ...of('server/src/hosts/outcomes.test.ts', [
    {
      file: 'server/src/hosts/sql.ts',
      text: 'p.id = any(${ids}::uuid[]) and p.zone_id = ${zoneId}',
      replacement: 'p.id = any(${ids}::uuid[])',
      test: "refuses what names another zone's publication, none at all, or an unknown reader; the rest is stored",
    },
    {
      file: 'server/src/hosts/sql.ts',
      text: "retrying = o.retrying and excluded.outcome = 'failed'\n          where o.outcome = 'failed'",
      replacement: "retrying = o.retrying and excluded.outcome = 'failed'",
      test: 'a failure may become a success; a success stays one, across reports and within one',
    },
    {
      file: 'server/src/hosts/outcomes.ts',
      text: ".filter(({ outcome }) => outcome === 'applied').reverse()",
      replacement: ".filter(({ outcome }) => outcome === 'applied')",
      test: 'a failure may become a success; a success stays one, across reports and within one',
    },
  ]),
  ...of('server/src/hosts/foreign-readers.test.ts', [
    {
      file: 'server/src/hosts/sql.ts',
      text: 'd.serial_number = r.serial_number and d.host_id = ${host.hostId}\n        order by d.serial_number for share of d\n      ), stored as (\n        update',
      replacement:
        'd.serial_number = r.serial_number\n        order by d.serial_number for share of d\n      ), stored as (\n        update',
      test: "[PPL-08] a rogue host of another zone reports nothing of this zone's readers, neither outcomes nor progress nor what is applied again",
    },
    {
      file: 'server/src/hosts/sql.ts',
      text: 'd.serial_number = r.serial_number and d.host_id = ${host.hostId}\n    where (r.serial_number',
      replacement: 'd.serial_number = r.serial_number\n    where (r.serial_number',
      test: "[PPL-08] a rogue host of another zone reports nothing of this zone's readers, neither outcomes nor progress nor what is applied again",
    },
    {
      file: 'server/src/hosts/outcomes.ts',
      text: 'Math.min(Date.parse(outcome.at) - ahead, clock.receivedAt.getTime())',
      replacement: 'Date.parse(outcome.at) - ahead',
      test: '[RIT-08] the time of an outcome is corrected by how far the clock is off, and kept between handing out and now',
    },
    {
      file: 'server/src/hosts/outcomes.ts',
      text: 'Math.max(corrected, from.getTime())',
      replacement: 'corrected',
      test: '[RIT-08] the time of an outcome is corrected by how far the clock is off, and kept between handing out and now',
    },
    {
      file: 'server/src/hosts/outcomes.ts',
      text: 'if (!from) return null',
      replacement: 'if (!from) return { ...outcome, at: clock.receivedAt }',
      test: '[RIT-08] before this host PC was handed a publication it reports no outcome of it, and from then on it does, also before the update time',
    },
    {
      file: 'server/src/hosts/sql.ts',
      text: "where o.outcome = 'failed' and not ${isSentAgain}",
      replacement: "where o.outcome = 'failed'",
      test: '[RIT-08] a failure that is sent again is one, and two failures of one instant are two',
    },
  ]),
  ...of('server/src/hosts/moves.test.ts', [
    {
      file: 'server/src/devices/reports-sql.ts',
      text: 'where locked.host_id is distinct from ${host.hostId}',
      replacement: 'where true',
      test: '[PPL-08] a reader that turns up at another host PC is moved, with one entry that says from where to where',
    },
    {
      file: 'server/src/devices/reports-sql.ts',
      text: 'where locked.host_id is distinct from ${host.hostId}',
      replacement: 'where locked.host_id <> ${host.hostId}',
      test: '[PPL-08] a reader whose zone was deleted is moved from nowhere, one whose host PC was removed from that',
    },
    {
      file: 'server/src/audit/audit.ts',
      text: 'moves.filter((move) => !often.has(move.device_serial))',
      replacement: 'moves',
      test: '[PPL-08] two host PCs that report the same reader leave ten entries of it a day, and those of others',
    },
    {
      file: 'server/src/audit/sql.ts',
      text: 'and in_effect_since > now() - make_interval(hours => ${movesPerReader.hours})',
      replacement: '',
      test: '[PPL-08] two host PCs that report the same reader leave ten entries of it a day, and those of others',
    },
    {
      file: 'server/src/hosts/hosts.ts',
      text: 'stored.added + stored.moved.length',
      replacement: 'stored.added',
      test: '[PPL-08 LMT-05] readers that a host PC takes over are new to it: so many an hour, and beyond that none is moved',
    },
  ]),
  ...of('server/src/hosts/progress.test.ts', [
    {
      file: 'server/src/hosts/sql.ts',
      text: 'where (r.serial_number is null) = (d.id is null)',
      replacement: 'where true',
      test: "leaves out what names another zone's publication, none, or no reader; the rest is stored",
    },
    {
      file: 'server/src/hosts/sql.ts',
      text: 'do update set percent = excluded.percent, reported_at',
      replacement: 'do update set percent = greatest(p.percent, excluded.percent), reported_at',
      test: 'keeps the last word of each reader, and of the host PC itself',
    },
  ]),
]

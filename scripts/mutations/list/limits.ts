import { type Mutation, of } from './mutation.ts'

/** What a role that is limited to zones sees. */
export const limits: readonly Mutation[] = [
  ...of('server/src/limited-roles.test.ts', [
    {
      file: 'server/src/lib/http/router.ts',
      text: 'person.zones !== null && limitedRole === undefined',
      replacement: 'false',
      test: '[PPL-04] listLicences is refused to a role that is limited to zones',
    },
    {
      file: 'server/src/lib/http/caller.ts',
      text: 'const zones = own?.zones ?? null',
      replacement: 'const zones = null',
      test: '[PPL-04] createZone is refused to a role that is limited to zones',
    },
    {
      file: 'server/src/devices/order-sql.ts',
      text: 'conditions: zones === null ? [] :',
      replacement: 'conditions: zones !== null ? [] :',
      test: '[PPL-04] of its zones, and of no other, a role that is limited to them has > downloadDevices',
    },
    {
      file: 'server/src/publications/sql.ts',
      text: ".where(isInZones(scope, sql`id`))\n    .where('public_id', '=', publicId)\n    .forNoKeyUpdate()",
      replacement: ".where('public_id', '=', publicId)\n    .forNoKeyUpdate()",
      test: '[PPL-04] what is not in its zones does not exist for it > publishCfg',
    },
    {
      file: 'server/src/zones/sql.ts',
      text: '    .where(isInZones({ zones }, sql`host.zone_id`))\n',
      replacement: '',
      test: '[PPL-04] of its zones, and of no other, a role that is limited to them has > listZoneOverviews',
    },
  ]),
  ...of('server/src/rollouts/limited-roles.test.ts', [
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: '        and ${isInZones({ zones }, sql`p.zone_id`)}\n      returning',
      replacement: '      returning',
      test: '[PPL-04] it halts, resumes, retries and rolls back what is in its zones',
    },
    {
      file: 'server/src/rollouts/zones/zone-sums-sql.ts',
      text: ' and ${isInZones({ zones }, sql`p.zone_id`)}',
      replacement: '',
      test: '[PPL-04] a rollout over more zones shows the part of its zones, and that there is more',
    },
    {
      file: 'server/src/rollouts/live.ts',
      text: 'JSON.stringify([scope.organizationId, scope.zones, snapshot.id])',
      replacement: 'JSON.stringify([scope.organizationId, snapshot.id])',
      test: '[PPL-04] a stream has only its zones, and ends when they change, or lose the tag of the role',
    },
  ]),
  ...of('server/src/audit/limited-roles.test.ts', [
    {
      file: 'server/src/audit/sql.ts',
      text: ' and in_effect_since >= (${JSON.stringify(created)}::jsonb ->> zone_name)::timestamptz)',
      replacement: ')',
      test: '[PPL-04] a zone that is called as a deleted one has not its entries',
    },
  ]),
]

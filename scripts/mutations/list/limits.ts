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
  ...of('server/src/people/tag-limits.test.ts', [
    {
      file: 'server/src/lib/database/zone-scope.ts',
      text: 'zone_tag.tag_id = role_tag.tag_id\n  where role_tag.organization_id = role.organization_id and role_tag.role_id = role.id',
      replacement: 'zone_tag.tag_id = role_tag.tag_id\n  where role_tag.organization_id = role.organization_id',
      test: '[PPL-04 PPL-06] nobody widens what they or others see by tags: those of roles take what a change of these roles takes',
    },
    {
      file: 'server/src/zones/tags.ts',
      text: '[...change.add, ...change.remove])) {',
      replacement: '[...change.add])) {',
      test: '[PPL-04 PPL-06] nobody widens what they or others see by tags: those of roles take what a change of these roles takes',
    },
    {
      file: 'server/src/zones/tags.ts',
      text: "['manage:people', ...permissions].find",
      replacement: "['manage:people'].find",
      test: '[PPL-04 PPL-06] nobody widens what they or others see by tags: those of roles take what a change of these roles takes',
    },
    {
      file: 'server/src/zones/tags-sql.ts',
      text: ' and not ${limitsRole(organizationId)}',
      replacement: '',
      test: '[PPL-04] of a tag that no zone carries a role sees nothing, not everything, until one carries it again',
    },
    {
      file: 'server/src/people/roles.ts',
      text: '.amount >= rolesPerOrganization',
      replacement: '.amount > rolesPerOrganization',
      test: 'an organization has at most 100 roles of its own',
    },
  ]),
  ...of('server/src/rollouts/limited-roles.test.ts', [
    {
      file: 'server/src/rollouts/halts-sql.ts',
      text: ' and ${isInZones({ zones }, sql`zone_id`)}\n        order by id for no key update',
      replacement: '\n        order by id for no key update',
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
  ...of('server/src/audit/limited-roles.test.ts', [
    {
      file: 'server/src/audit/sql.ts',
      text: 'if (log.zones !== null && words.length > 0)',
      replacement: 'if (false)',
      test: '[PPL-04] a reader that came from another zone is told without where it was, in lists, searches and files',
    },
    {
      file: 'server/src/audit/sql.ts',
      text: 'case when ${namesNoOtherZone} then audit_entry.target end',
      replacement: 'audit_entry.target',
      test: '[PPL-04] a reader that came from another zone is told without where it was, in lists, searches and files',
    },
  ]),
]
